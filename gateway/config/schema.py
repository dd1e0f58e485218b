"""Writes gateway.schema.json: the models as JSON Schema, for editors and for the reference of keys."""

import json
from typing import TypeAlias

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from gateway.config.accounts import ACCOUNT_MODELS
from gateway.config.model import Config

Schema: TypeAlias = JsonSchemaValue
SCHEMA_KEY = "Where editors find the explanations of all keys; the daemon doesn't read it."


class _Untitled(GenerateJsonSchema):
    """Leaves out titles: they repeat the names of the keys."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - the library hands it in
        return False


def model_schema() -> Schema:
    """Return the schema of the models as they are: accounts by name, no `$schema` key."""
    schema = Config.model_json_schema(schema_generator=_Untitled)
    for node in [schema, *schema["$defs"].values()]:
        node.pop("title", None)
    return schema


def file_schema() -> Schema:
    """Return the schema of the file as people write it: one bare account, or several by name."""
    schema = model_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "gateway.json of dragoman"
    schema["properties"] = {"$schema": {"type": "string", "description": SCHEMA_KEY}, **schema["properties"]}
    definitions = schema["$defs"]
    properties = definitions["Platforms"]["properties"]
    for platform, model in ACCOUNT_MODELS.items():
        account = definitions[model.__name__]
        account["if"] = {"properties": {"enabled": {"const": False}}, "required": ["enabled"]}
        account["then"] = True
        account["else"] = {"required": account.pop("required")}
        properties[platform] = _either(properties[platform], {"$ref": f"#/$defs/{model.__name__}"})
    return schema


def schema_text() -> str:
    """Return the text of gateway.schema.json."""
    return json.dumps(file_schema(), indent=2, ensure_ascii=False) + "\n"


def _either(mapping: Schema, account: Schema) -> Schema:
    """Allow one account as it is, or several under `accounts`."""
    several = {
        "type": "object",
        "properties": {
            "enabled": {"type": "boolean", "default": True, "description": "false: none of them is started."},
            "accounts": {
                "type": "object",
                "description": "The accounts by name.",
                "minProperties": 1,
                "patternProperties": mapping["patternProperties"],
                "additionalProperties": False,
            },
        },
        "required": ["accounts"],
        "additionalProperties": False,
    }
    kept: Schema = {key: mapping[key] for key in ("description", "examples") if key in mapping}
    return {**kept, "anyOf": [account, several]}
