import { describe, expect, it } from '@jest/globals';
import { namesGivenBy, wordsOf } from './vocabulary.js';
import { filesBelow, read } from './workspace.js';

const { $comment: _, ...terms } = JSON.parse(read('tests/architecture/vocabulary.json')) as Record<
  string,
  string
>;
const folders = ['libs', 'services', 'tests', 'infra'];
const isSource = (path: string) => /\.(ts|mjs)$/.test(path);

/** Each name with an unwanted word, and the term to use. */
function violations(path: string, text: string): string[] {
  return namesGivenBy(path, text).flatMap((name) =>
    wordsOf(name)
      .filter((word) => word in terms)
      .map((word) => `${path}: ${name}: say "${terms[word]}" instead of "${word}"`),
  );
}

describe('names (tests/architecture/vocabulary.json)', () => {
  it.each(folders)('%s uses the terms of the field', (folder) => {
    const paths = filesBelow(folder).filter(isSource);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.flatMap((path) => violations(path, read(path)))).toEqual([]);
  });

  it.each([
    ['a file', 'libs/jobs/src/newcomer.ts', ''],
    ['a folder', 'services/gateway/src/door/gateway.ts', ''],
    ['a function', 'libs/jobs/src/queue.ts', 'export function tellWorker() {}'],
    ['a constant', 'libs/jobs/src/queue.ts', 'const usualWaitMs = 1;'],
    ['a type', 'libs/jobs/src/queue.ts', 'interface DoomedJob {}'],
    ['a member', 'libs/jobs/src/queue.ts', 'class Queue { private patience = 1; }'],
  ])('%s with another word is found', (_kind, path, text) => {
    expect(violations(path, text)).toHaveLength(1);
  });
});
