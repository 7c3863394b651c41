"""The driver with SQLAlchemy's engines: `python3 sqlalchemy_driver.py original`, `fixed` or `better`."""

import driver  # first, because it replaces the locks that SQLAlchemy will use

import importlib
import sys

import sqlalchemy_engines

cache = importlib.import_module(sys.argv[1])
if cache.__name__ == "better":
    setattr(cache, "create_engine", sqlalchemy_engines.SharedEngine)
    cache.ABILITIES.remove("files")
else:
    setattr(cache, "create_engine", sqlalchemy_engines.UsualEngine)
driver.main(cache)
