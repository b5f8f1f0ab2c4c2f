extension ColorFeedSettings {
    /// The schema of the settings for `lull check` and editors; `init(json:stateDirectory:)` accepts the same and no more.
    public static let schema: StaticString = #"""
        {
          "lull_settings": 1,
          "app": {
            "type": "object",
            "additionalProperties": false,
            "required": ["feed"],
            "properties": {
              "feed": {
                "description": "Where the feed is: a file, or an http(s) address",
                "type": "string", "minLength": 1, "examples": ["feed.json"]
              },
              "database": {
                "description": "The SQLite file with the entries; in the app's state folder unless it is given",
                "type": "string", "minLength": 1, "examples": ["/var/lib/colours/feed.sqlite"]
              }
            }
          },
          "task": { "type": "object", "additionalProperties": false }
        }
        """#
}
