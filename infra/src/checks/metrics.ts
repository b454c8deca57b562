import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type * as Jscpd from 'jscpd';
import ts from 'typescript';
import { parseCommandLine, root, type CommandOptions } from '../command.js';

const usage = `Usage: npm run metrics

Prints size and shape of the sources. Exits with 1 when there is an import circle, or an operation id without a function.`;

const exec = (command: string, args: string[]) =>
  promisify(execFile)(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
const shortFileLines = 25;
/** The example of CONTRIBUTING.md. */
const exampleResource = 'services/content/src/site/sections';

/** The source files by path. */
type Sources = ReadonlyMap<string, string>;

async function readSources(): Promise<Sources> {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', 'libs', 'services'];
  const { stdout } = await exec('git', listing);
  const paths = stdout.split('\n').filter((path) => isSource(path) && existsSync(join(root, path)));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function isSource(path: string): boolean {
  return /\.ts$/.test(path) && !/\.(spec|fixture|conformance|d)\.ts$|\/generated\//.test(path);
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length;
}

/** Ids of declared operations, and names of functions and methods. */
function operationsAndFunctions(sources: Sources): {
  ids: ReadonlyMap<string, string>;
  functions: ReadonlySet<string>;
} {
  const ids = new Map<string, string>();
  const functions = new Set<string>();
  for (const [path, text] of sources) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    const visit = (node: ts.Node) => {
      if (ts.isCallExpression(node) && /^declare(Internal)?Operation$/.test(node.expression.getText()))
        for (const id of idsOf(node.arguments[0])) ids.set(id, path);
      if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name)
        functions.add(node.name.getText());
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { ids, functions };
}

function idsOf(declaration: ts.Expression | undefined): string[] {
  if (!declaration || !ts.isObjectLiteralExpression(declaration)) return [];
  return declaration.properties
    .filter((property) => ts.isPropertyAssignment(property))
    .filter(({ name }) => name.getText() === 'id')
    .flatMap(({ initializer }) => (ts.isStringLiteralLike(initializer) ? [initializer.text] : []));
}

/** Files of the example resource, its migration, and the lines elsewhere that name its module. */
function placesOfResource(sources: Sources) {
  const paths = [...sources.keys()];
  const files = paths.filter((path) => path.startsWith(`${exampleResource}/`));
  const name = basename(exampleResource);
  const migrations = paths.filter((path) => new RegExp(`/migrations/.*-${name}\\.ts$`).test(path));
  const registrations = paths.filter(
    (path) => dirname(path) !== exampleResource && sources.get(path)?.includes(`/${name}.module.js'`),
  );
  return { files: files.length, migrations: migrations.length, registrations: registrations.length };
}

async function circleCount(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-metrics-'));
  const output = join(folder, 'circles.json');
  const globs = ['libs/*/src/**/*.ts', 'services/*/src/**/*.ts'];
  try {
    const options = ['--no-tree', '--no-warning', '--no-progress', '-o', output];
    await exec('npx', ['--no-install', 'dpdm', ...options, ...globs]);
    return JSON.parse(readFileSync(output, 'utf8')).circulars.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function duplicatePairCount(): Promise<number> {
  // its ES module imports a path that does not exist
  const { detectClones }: typeof Jscpd = createRequire(import.meta.url)('jscpd');
  const clones = await detectClones({
    path: ['libs', 'services'].map((folder) => join(root, folder)),
    format: ['typescript'],
    ignore: ['**/dist/**', '**/node_modules/**', '**/generated/**', '**/*.spec.ts', '**/migrations/**'],
    minLines: 6,
    minTokens: 50,
    silent: true,
    gitignore: false,
  });
  return clones.length;
}

/** `npm run metrics`. */
export async function run({ args }: CommandOptions): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  if (parseCommandLine('npm run metrics', { args, options }).values.help) {
    console.log(usage);
    return 0;
  }
  const sources = await readSources();
  const lengths = [...sources.values()].map(lineCount);
  const { ids, functions } = operationsAndFunctions(sources);
  const withoutFunction = [...ids].filter(([id]) => !functions.has(id));
  const { files, migrations, registrations } = placesOfResource(sources);
  const circles = await circleCount();
  const rows: [string, string | number][] = [
    ['source files', sources.size],
    ['mean length in lines', Math.round(lengths.reduce((sum, length) => sum + length, 0) / sources.size)],
    [`files under ${shortFileLines} lines`, lengths.filter((length) => length < shortFileLines).length],
    ['import circles, types included', circles],
    ['duplicate pairs of 6 lines', await duplicatePairCount()],
    [
      'places to touch for a new resource',
      `${files} files, ${migrations} migration, ${registrations} registration`,
    ],
    ['operation ids', ids.size],
    ['operation ids without a function of that name', withoutFunction.length],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(48)}${value}`);
  for (const [id, path] of withoutFunction) console.log(`  ${id}: ${path}`);
  return circles === 0 && withoutFunction.length === 0 ? 0 : 1;
}
