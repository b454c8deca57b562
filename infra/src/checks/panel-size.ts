import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../command.js';

const kilobyte = 1000;
/** Limits of what the browser loads, in kilobytes after gzip: decisions about new dependencies are made here. */
const maxKilobytes = { shell: 190, language: 14, styles: 30 };
/** Limits of what screens load beyond the shell, by the module that the router imports; another one has no room. */
const maxScreenKilobytes: Readonly<Record<string, number>> = {
  'entries/editor/entry-screen.tsx': 95,
  'entries/list/collection-screen.tsx': 40,
};

/** What the manifest of the panel's build declares about a chunk. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

/** A part of the panel and its size. */
export interface PanelPart {
  name: string;
  kilobytes: number;
  maxKilobytes: number;
}

/**
 * The sizes of the panel's parts with everything that they import.
 * @param sizeOf the size of a file of the build, in kilobytes
 */
export function panelParts(
  manifest: Readonly<Record<string, Chunk>>,
  sizeOf: (file: string) => number,
): PanelPart[] {
  const total = (files: Iterable<string>) => [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0);
  const entries = Object.entries(manifest);
  const shell = entries.filter(([, { isEntry }]) => isEntry).flatMap(([name]) => closure(manifest, name));
  const languages = entries.filter(([name]) => name.startsWith('locales/'));
  const screens = entries.filter(([name, chunk]) => chunk.isDynamicEntry && !name.startsWith('locales/'));
  const parts = [
    { name: 'shell', kilobytes: total(shell), maxKilobytes: maxKilobytes.shell },
    ...screens.map(([name]) => ({
      name,
      kilobytes: total(closure(manifest, name).filter((file) => !shell.includes(file))),
      maxKilobytes: maxScreenKilobytes[name] ?? 0,
    })),
    ...languages.map(([name, { file }]) => ({
      name,
      kilobytes: total([file]),
      maxKilobytes: maxKilobytes.language,
    })),
    {
      name: 'styles',
      kilobytes: total(entries.flatMap(([, { css = [] }]) => css)),
      maxKilobytes: maxKilobytes.styles,
    },
  ];
  return parts;
}

/** The files of a chunk and of all chunks that it imports. */
function closure(
  manifest: Readonly<Record<string, Chunk>>,
  name: string,
  seen = new Set<string>(),
): string[] {
  const chunk = manifest[name];
  if (!chunk || seen.has(name)) return [];
  seen.add(name);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((imported) => closure(manifest, imported, seen))];
}

/** Compares the build of the panel with its limits. @returns one line for each part */
export function checkPanelSize(): { isWithinLimits: boolean; output: string } {
  const folder = join(root, 'services/admin/dist/browser');
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const parts = panelParts(
    manifest,
    (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / kilobyte,
  );
  const isOver = (part: PanelPart) => part.kilobytes > part.maxKilobytes;
  const lines = parts.map(
    (part) =>
      `${isOver(part) ? 'OVER ' : ''}${part.name}: ${part.kilobytes.toFixed(1)} of ${part.maxKilobytes} kB (gzip)`,
  );
  return { isWithinLimits: !parts.some(isOver), output: `${lines.join('\n')}\n` };
}
