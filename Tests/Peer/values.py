"""Thrift structs as JSON and back: names as in the interface, binary fields as hexadecimal digits."""

from thrift.Thrift import TType


def fields(kind):
    """(name, type, details) of each field of a struct class."""
    return [(entry[2], entry[1], entry[3]) for entry in kind.thrift_spec if entry]


def to_json(value):
    """Leaves out the fields that are not set."""
    if hasattr(value, "thrift_spec"):
        return {name: to_json(getattr(value, name)) for name, _, _ in fields(type(value))
                if getattr(value, name) is not None}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_json(item) for item in value)
    return value


def from_json(kind, tree):
    """A struct of the class from what `to_json` made of one."""
    return kind(**{name: value_from_json(tag, details, tree[name])
                   for name, tag, details in fields(kind) if name in tree})


def value_from_json(tag, details, tree):
    if tag == TType.STRUCT:
        return from_json(details[0], tree)
    if tag == TType.STRING and details == "BINARY":
        return bytes.fromhex(tree)
    if tag == TType.LIST:
        return [value_from_json(details[0], details[1], item) for item in tree]
    if tag == TType.SET:
        return {value_from_json(details[0], details[1], item) for item in tree}
    return tree
