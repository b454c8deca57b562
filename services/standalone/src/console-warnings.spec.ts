import { afterEach, expect, it } from '@jest/globals';
import { logConsoleWarnings } from './console-warnings.js';

const { warn: original } = console;
afterEach(() => void Object.assign(console, { warn: original }));

it('warnings of libraries become log lines, each once', () => {
  const lines: unknown[] = [];
  logConsoleWarnings({ warn: (fields, message) => void lines.push([fields, message]) });
  const { warn } = console;
  for (let connection = 0; connection < 3; connection += 1) warn('Eviction policy is', 'volatile-lru');
  warn('Another');
  expect(lines).toEqual([
    [{ source: 'console' }, 'Eviction policy is volatile-lru'],
    [{ source: 'console' }, 'Another'],
  ]);
});
