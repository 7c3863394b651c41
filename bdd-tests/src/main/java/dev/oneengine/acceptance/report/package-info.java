/** Reports of the results by the IDs of the scenarios. {@link dev.oneengine.acceptance.report.Results} writes them. */
@NullMarked
package dev.oneengine.acceptance.report;

import org.jspecify.annotations.NullMarked;
