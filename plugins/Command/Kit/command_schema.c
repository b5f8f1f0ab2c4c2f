#include "command_settings.h"

#include "lull_plugin.h"

LULL_SETTINGS_SCHEMA({
    "lull_settings": 1,
    "task_over_app": true,
    "program_path": "/usr/local/bin:/usr/bin:/bin",
    "task": {
        "type": "object",
        "additionalProperties": false,
        "required": ["run"],
        "properties": {
            "run": {
                "description": "The command: a text goes to the shell, a list is run as it stands",
                "examples": ["backup --all"],
                "anyOf": [
                    { "type": "string", "format": "command" },
                    {
                        "type": "array", "minItems": 1, "format": "program",
                        "items": { "type": ["string", "number", "boolean"] }
                    }
                ]
            },
            "shell": {
                "description": "The shell that runs a text",
                "type": ["string", "null"], "format": "program", "default": "/bin/sh"
            },
            "env": {
                "description": "Variables added to the small environment that every command gets",
                "type": ["object", "null"],
                "propertyNames": { "pattern": "^[^=]+$", "description": "a name without an =" },
                "additionalProperties": { "type": ["string", "number", "boolean"] },
                "examples": [{ "LANG": "C.UTF-8" }]
            },
            "env_file": {
                "description": "Files of NAME=VALUE lines, read at each run; -PATH: it may be missing",
                "anyOf": [
                    { "type": ["string", "null"], "format": "path", "pattern": "^(-.|[^-])", "description": "a path" },
                    {
                        "type": "array",
                        "items": { "type": "string", "format": "path", "pattern": "^(-.|[^-])", "description": "a path" }
                    }
                ],
                "examples": ["/etc/default/backup"]
            },
            "secrets": {
                "description": "Secrets, read at each run: files in $CREDENTIALS_DIRECTORY, as of systemd",
                "type": ["object", "null"],
                "propertyNames": {
                    "pattern": "^[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]*$", "maxLength": 255,
                    "description": "a name of letters, digits and _-.@+"
                },
                "additionalProperties": {
                    "oneOf": [
                        {
                            "type": "object", "additionalProperties": false, "required": ["file"],
                            "properties": {
                                "file": {
                                    "description": "The file that holds it",
                                    "type": "string", "format": "path", "pattern": "[^[:space:]]",
                                    "examples": ["/etc/backup/password"]
                                },
                                "env": {
                                    "description": "A variable that holds it as well",
                                    "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": 255,
                                    "examples": ["DB_PASSWORD"]
                                }
                            }
                        },
                        {
                            "type": "object", "additionalProperties": false, "required": ["command"],
                            "properties": {
                                "command": {
                                    "description": "A line for the shell that prints it",
                                    "type": "string", "pattern": "[^[:space:]]", "examples": ["pass show backup"]
                                },
                                "env": {
                                    "description": "A variable that holds it as well",
                                    "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": 255,
                                    "examples": ["DB_PASSWORD"]
                                }
                            }
                        }
                    ]
                },
                "examples": [{ "password": { "file": "/etc/backup/password", "env": "DB_PASSWORD" } }]
            },
            "cwd": {
                "description": "The folder in which it runs; ~ is the home folder",
                "type": ["string", "null"], "format": "folder", "examples": ["/srv/www"]
            },
            "stdin": {
                "description": "What the command reads on its standard input",
                "type": ["string", "null"], "examples": ["yes"]
            },
            "success": {
                "description": "Exit codes that mean success",
                "type": ["array", "null"], "minItems": 1,
                "items": { "type": "integer", "minimum": 0, "maximum": 255 },
                "default": [0]
            },
            "grace_seconds": {
                "description": "How long it has after SIGTERM, until SIGKILL",
                "type": ["number", "null"], "minimum": 0, "maximum": 3600, "default": 3
            }
        }
    }
});

const char *command_schema(void) { return lull_settings_schema; }
