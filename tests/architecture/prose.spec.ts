import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, foldersIn, packages, read, root } from './workspace.js';

/** Words that comments and pages do not use, with their replacements. */
const wording: Readonly<Record<string, string>> = {
  alone: 'only',
  anew: 'again',
  anybody: 'the role: any caller, every user',
  everybody: 'the role: all callers, every user',
  lies: 'is',
  meanwhile: 'the event: during the build, since the last read',
  nobody: 'the role: no caller, no user',
  somebody: 'the role: a user, a caller',
  stands: 'is',
  told: 'the verb: reported, logged, declared',
  whoever: 'the role: the user who, the caller that',
};
const unwanted = new RegExp(`\\b(?:${Object.keys(wording).join('|')})\\b`, 'gi');
const comments = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/[^\n]*/g;

const ownPages = [
  'README.md',
  'CONTRIBUTING.md',
  'infra/README.md',
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
];
const readmes = packages.map(({ folder }) => `${folder}/README.md`);
const repositoryFolders = ['docs', 'infra', 'libs', 'proto', 'services', 'tests'];
const pathInCode = /`((?:[\w.@-]+\/)+[\w.@-]*)`/g;
const linkedPath = /\]\((?!https?:)([^)#\s]+)/g;

/** Without the checks of words, which contain the words. */
const testFolders = foldersIn('tests')
  .filter((folder) => folder !== 'architecture')
  .map((folder) => `tests/${folder}`);
const sourceFolders = [...packages.map(({ folder }) => `${folder}/src`), 'infra/src', ...testFolders];

/** Each unwanted word of a text, with the wording to use. */
const unwantedWords = (text: string) =>
  [...text.matchAll(unwanted)].map(([word]) => `${word}: use ${wording[word.toLowerCase()]}`);

/** Paths that a page names and that do not exist: links, and paths in code spans that begin in a known folder. */
function missingPaths(page: string, text: string): string[] {
  const folder = dirname(page);
  const fromRoot = [...text.matchAll(pathInCode)]
    .map(([, path = '']) => path)
    .filter((path) => repositoryFolders.includes(path.split('/', 1)[0] ?? ''));
  const fromSource = [...text.matchAll(pathInCode)]
    .map(([, path = '']) => path)
    .filter((path) => path.startsWith('src/') && readmes.includes(page))
    .map((path) => join(folder, path));
  const linked = [...text.matchAll(linkedPath)].map(([, path = '']) => join(folder, path));
  return [...fromRoot, ...fromSource, ...linked].filter((path) => !existsSync(join(root, path)));
}

describe('prose', () => {
  it.each(sourceFolders)('comments of %s use plain technical English', (folder) => {
    const sources = filesBelow(folder).filter((path) => path.endsWith('.ts'));
    const found = sources.flatMap((path) =>
      (read(path).match(comments) ?? []).flatMap((comment) =>
        unwantedWords(comment).map((word) => `${path}: ${word}`),
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([...ownPages, ...readmes])('%s uses plain technical English', (page) => {
    expect(unwantedWords(read(page))).toEqual([]);
  });

  it.each([...ownPages, ...readmes])('%s names existing paths', (page) => {
    expect(missingPaths(page, read(page))).toEqual([]);
  });

  it('finds an unwanted word and a missing path', () => {
    expect(unwantedWords('Nobody sees it.')).toEqual(['Nobody: use the role: no caller, no user']);
    expect(missingPaths('README.md', '`libs/gone/` and [a page](docs/gone.md)')).toEqual([
      'libs/gone/',
      'docs/gone.md',
    ]);
  });
});
