extension MaintenanceSettings {
    /// The schema of the settings for `lull check` and editors: of the app, and of a task as `MaintenanceTaskSettings` reads it.
    ///
    /// `init(json:)` checks as well that no two databases share a path or a backup.
    public static let schema: StaticString = #"""
        {
          "lull_settings": 1,
          "app": {
            "type": "object",
            "additionalProperties": false,
            "required": ["databases"],
            "properties": {
              "databases": {
                "description": "The databases that are looked after",
                "examples": [[{ "path": "/var/lib/app.sqlite" }]],
                "type": "array", "minItems": 1,
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["path"],
                  "properties": {
                    "path": {
                      "description": "The SQLite file",
                      "type": "string", "minLength": 1, "examples": ["/var/lib/app.sqlite"]
                    },
                    "backup": {
                      "description": "Where copies are kept, and how many",
                      "type": "object",
                      "additionalProperties": false,
                      "required": ["folder"],
                      "examples": [{ "folder": "/var/backups/app", "keep": 7 }],
                      "properties": {
                        "folder": { "type": "string", "minLength": 1, "examples": ["/var/backups/app"] },
                        "keep": { "type": "integer", "minimum": 1, "maximum": 10000, "default": 7 }
                      }
                    },
                    "vacuum": {
                      "description": "Whether VACUUM is run: always, never, or when enough pages are free",
                      "enum": [true, false, "auto"], "default": "auto"
                    },
                    "integrity": {
                      "description": "How thorough the check is",
                      "enum": ["quick", "full"], "default": "quick"
                    },
                    "optional": {
                      "description": "Whether the file may be missing",
                      "type": "boolean", "default": false
                    }
                  }
                }
              },
              "busy_seconds": {
                "description": "How long a step waits for another program's lock",
                "type": "integer", "minimum": 0, "maximum": 3600, "default": 5
              }
            }
          },
          "task": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "steps": {
                "description": "What this task does; all of it unless it is given",
                "type": "array", "minItems": 1,
                "items": { "enum": ["check", "backup", "optimize", "vacuum"] },
                "examples": [["check", "backup"]]
              }
            }
          }
        }
        """#
}
