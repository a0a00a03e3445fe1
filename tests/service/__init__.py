"""The service: texts, what managers are told, and the log that does not grow for ever."""
