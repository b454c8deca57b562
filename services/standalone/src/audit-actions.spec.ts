import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { auditActions as ownActions } from '@quire/auth-service';
import { auditActions } from '@quire/audit';

interface Description {
  target: string | null;
  details?: readonly string[];
  summary: string;
}

const page = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');

/** A table without its padding. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .join('|'),
    );

describe('docs/audit.md', () => {
  it('lists every action with its target and details', () => {
    const all: Record<string, Description> = { ...ownActions, ...auditActions };
    const code = (name: string) => `\`${name}\``;
    const rows = Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([action, { target, details = [], summary }]) =>
          `|${code(action)}|${target ?? ''}|${details.map(code).join(', ')}|${summary}|`,
      );
    const [, ...listed] = rowsOf(page.slice(page.indexOf('## Actions'))).filter((row) => !/^\|-/.test(row));
    expect(listed).toEqual(rows);
  });

  it('lists no action of two services', () => {
    expect(Object.keys(auditActions).filter((action) => action in ownActions)).toEqual([]);
  });
});
