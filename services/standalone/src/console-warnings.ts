import type { Logger } from '@quire/observability';

/** Different texts that are remembered: enough for the warnings of libraries at the start. */
const maxKnown = 100;

/**
 * Turns what libraries print with `console.warn` into log lines, each text once: BullMQ repeats its warning of the
 * eviction policy for each connection.
 */
export function logConsoleWarnings(logger: Pick<Logger, 'warn'>): void {
  const known = new Set<string>();
  const warn = (...parts: unknown[]) => {
    const text = parts.map(String).join(' ');
    if (known.has(text)) return;
    if (known.size < maxKnown) known.add(text);
    logger.warn({ source: 'console' }, text);
  };
  Object.assign(console, { warn });
}
