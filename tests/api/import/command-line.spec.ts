import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand, useSite, type Client } from '@quire/testing';
import { assignmentsOf, itemsByType, sum } from './expected-counts.js';
import { exampleFile, exampleNames, groundTruth, type ExampleName } from './support.js';

const site = useSite();
const folder = mkdtempSync(join(tmpdir(), 'quire-import-command-'));
const edgeCases = fileURLToPath(new URL('../../fixtures/wxr/edge-cases.xml', import.meta.url));
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = (args: string[], until?: string) =>
  runCommand(site, ['import', ...args, '--tenant', site.tenant], {
    isProcess: true,
    ...(until !== undefined && { until }),
  });
const total = async (collection: string) =>
  (await admin.get(`/content/${collection}?limit=1`)).data?.total as number | undefined;
const importIdOf = (stdout: string) => /Import (\w{26})/.exec(stdout)?.[1] ?? '';
/** The cells of a row of a table that a command has printed. */
const row = (stdout: string, name: string) =>
  stdout
    .split('\n')
    .findLast((line) => line.startsWith(`${name} `))
    ?.split(/\s+/);

/** The path of an example export, uncompressed. */
function fileOf(name: ExampleName): string {
  const path = join(folder, name);
  writeFileSync(path, exampleFile(name));
  return path;
}

/** An export with several copies of each entry: the command is stopped while it is imported. */
function largeExport(): string {
  const text = exampleFile('ja-classic.xml').toString();
  const items = (text.match(/<item>[^]*?<\/item>/g) ?? []).filter((item) =>
    /<wp:post_type>(?:<!\[CDATA\[)?page\b/.test(item),
  );
  const copies = Array.from({ length: 1500 }, (_, index) =>
    (items[index % items.length] ?? '').replace(/<wp:post_id>\d+</, `<wp:post_id>${500_000 + index}<`),
  );
  const path = join(folder, 'large.xml');
  writeFileSync(path, text.replace('</channel>', `${copies.join('\n')}</channel>`));
  return path;
}

/** The real exports; `edge-cases.xml` has tests of its own. */
const realNames = exampleNames.filter((name) => name !== 'edge-cases.xml');

describe.each(realNames)('cms import of %s', (name) => {
  const own = useSite();
  const { expected } = groundTruth[name];
  const items = itemsByType(name);
  const runOnce = () =>
    runCommand(own, ['import', fileOf(name), '--tenant', own.tenant], { isProcess: true });
  /** The cells of the rows of the summary, by type. */
  const rowsOf = (stdout: string) =>
    Object.fromEntries(Object.keys(items).map((type) => [type, row(stdout, type)?.slice(1).map(Number)]));

  it('prints exactly the counts of the file', async () => {
    const { code, stdout } = await runOnce();
    expect(code).toBe(0);
    const printed = rowsOf(stdout);
    for (const [type, count] of Object.entries(items))
      expect([type, printed[type]?.[0], sum(printed[type]?.slice(1) ?? [])]).toEqual([type, count, count]);
    for (const [type, count] of Object.entries(expected.entriesByType))
      expect([type, printed[type]]).toEqual([type, [items[type], count, 0, (items[type] ?? 0) - count, 0]]);
    const terms = sum(Object.values(expected.terms));
    expect(stdout).toContain(
      `Terms: ${terms} created, ${assignmentsOf(name)} assigned. Sections: ${expected.sections}. ` +
        `Comments: ${expected.comments}. Menus: ${expected.menusWithItems} with `,
    );
    expect(stdout).toContain('Failures: 0.');
  });

  it('imports nothing when it runs again', async () => {
    const { code, stdout } = await runOnce();
    expect(code).toBe(0);
    const skipped = Object.entries(items).map(([type, count]) => [type, [count, 0, 0, count, 0]]);
    expect(rowsOf(stdout)).toEqual(Object.fromEntries(skipped));
    expect(stdout).toContain(
      'Terms: 0 created, 0 assigned. Sections: 0. Comments: 0. Menus: 0 with 0 item(s).',
    );
  });
});

describe('cms import', () => {
  it('prints what a file holds with --dry-run, and changes nothing', async () => {
    const { code, stdout } = await command([edgeCases, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('Edge cases & oddities (https://old.example)');
    expect([row(stdout, 'post'), row(stdout, 'users')]).toEqual([
      ['post', '45', 'posts'],
      ['users', '1', 'legacy_users'],
    ]);
    expect((await admin.get('/schema/collections')).data.items).toEqual([]);
  });

  it('creates collections and imports everything, with the suggested or the given collections', async () => {
    const { code, stdout, stderr } = await command([edgeCases, '--map', 'book=library']);
    // The phase that a poll finds depends on the speed of the machine.
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^(bylines|terms|content|sections|menus) \d+ %$/m),
    ]);
    expect(row(stdout, 'post')).toEqual(['post', '45', '44', '0', '1', '0']);
    expect(row(stdout, 'book')).toEqual(['book', '1', '1', '0', '0', '0']);
    expect(stdout).toContain('Sections: 1. Comments: 6. Menus: 1');
    expect(await Promise.all(['posts', 'pages', 'library'].map(total))).toEqual([43, 4, 1]);
  });

  it('changes nothing when it runs again, names media files that fail with --media, and exits with 1', async () => {
    const { code, stdout, stderr } = await command([edgeCases, '--map', 'book=library', '--media']);
    expect([code, stderr.split('\n').at(-2)]).toEqual([1, '5 media file(s) failed']);
    expect([row(stdout, 'post'), await total('posts')]).toEqual([['post', '45', '0', '0', '45', '0'], 43]);
    expect(stdout).toContain('Media: 0 stored, 5 failed');
    expect(stdout).toContain('  http://169.254.169.254/latest/meta-data: Blocked: ');
    expect(stdout).toMatch(/^ {2}attachment \d+: No URL$/m);
  });

  it('takes back with `import undo` what an import created, and nothing twice', async () => {
    const { data } = await admin.get('/import/legacy/imports');
    const first = (data.items as { id: string }[]).at(-1);
    const undone = await runCommand(site, ['import', 'undo', first?.id ?? '', '--tenant', site.tenant], {
      isProcess: true,
    });
    expect([undone.code, row(undone.stdout, 'entry')?.[0]]).toEqual([0, 'entry']);
    expect(await total('posts')).toBe(0);
    const again = await runCommand(site, ['import', 'undo', first?.id ?? '', '--tenant', site.tenant], {
      isProcess: true,
    });
    expect([again.code, again.stdout]).toEqual([0, 'Nothing is left of the import\n']);
  });

  it('pauses on Ctrl-C, and the same command completes the import', async () => {
    const file = largeExport();
    const stopped = await command([file], 'has begun');
    const importId = importIdOf(stopped.stdout);
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('The import is paused')]);
    expect((await admin.get(`/import/legacy/imports/${importId}`)).data.state).toBe('paused');
    const resumed = await command([file]);
    expect([resumed.code, importIdOf(resumed.stdout)]).toEqual([0, importId]);
    expect(row(resumed.stdout, 'page')).toEqual(['page', '1518', '1518', '0', '0', '0']);
    expect(await total('pages')).toBe(1518);
  });

  it('exits with 1 and one line for a file that is no export', async () => {
    const { code, stderr } = await command([fileURLToPath(import.meta.url)]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The file is no complete export.*\n$/)]);
  });
});
