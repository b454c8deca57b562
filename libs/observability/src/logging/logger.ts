import { pino } from 'pino';

/** Structured log lines: fields first, then a short message. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * A JSON logger on standard output. Lines about a request or a job have its id, tenant and user; credentials in known
 * places are redacted.
 */
export function createLogger(options: { level: string; targets: readonly string[] }): Logger {
  return pino({
    level: options.level,
    base: { targets: options.targets.join(',') },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['authorization', 'cookie', 'token', 'password', 'headers.authorization', 'headers.cookie'],
  });
}
