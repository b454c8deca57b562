import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** The output of the build; the path is the same from src/ and dist/. */
const folder = new URL('../../dist/browser/', import.meta.url);
const assetsFolder = 'assets';
const entrySource = 'index.tsx';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Content codings of the build, the smallest first, with the suffix of their files. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file that the panel loads. */
export interface PanelFile {
  /** Content type. */
  type: string;
  bytes: Buffer;
  /** The bytes in a content coding, by its name. */
  encoded: ReadonlyMap<string, Buffer>;
}

/** The build of the panel. */
export interface PanelFiles {
  /** A hash over all files. */
  build: string;
  /** By name. */
  files: ReadonlyMap<string, PanelFile>;
  /** Name of the entry module. */
  script: string;
  /** Names of the stylesheets of the entry module. */
  styles: readonly string[];
  /** Names of the modules that the entry module imports. */
  preloaded: readonly string[];
}

/** What the build's manifest declares about a chunk. */
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

let cached: PanelFiles | undefined;

/** @returns the build of the panel, read once per process. @throws Error when the panel is not built. */
export function readPanelFiles(): PanelFiles {
  return (cached ??= readFiles());
}

function readFiles(): PanelFiles {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8')) as Record<
    string,
    Chunk
  >;
  const entry = manifest[entrySource];
  if (!entry) throw new Error(`The build of the panel has no entry ${entrySource}`);
  const all = new Map(
    readdirSync(new URL(`${assetsFolder}/`, folder))
      .sort()
      .map((name) => [name, readFileSync(new URL(`${assetsFolder}/${name}`, folder))]),
  );
  const hash = createHash('sha256');
  const files = new Map<string, PanelFile>();
  for (const [name, bytes] of all) {
    const type = types[extname(name)];
    // The other files are encodings of these.
    if (type === undefined) continue;
    hash.update(`${name}\0`).update(bytes).update('\0');
    const encoded = codings.flatMap(([coding, suffix]) => {
      const encodedBytes = all.get(name + suffix);
      return encodedBytes ? [[coding, encodedBytes] as const] : [];
    });
    files.set(name, { type, bytes, encoded: new Map(encoded) });
  }
  const chunks = [entry, ...importsOf(manifest, entry)];
  return {
    build: hash.digest('hex').slice(0, 16),
    files,
    script: nameOf(entry.file),
    styles: [...new Set(chunks.flatMap(({ css = [] }) => css))].map(nameOf),
    preloaded: chunks.slice(1).map(({ file }) => nameOf(file)),
  };
}

/** The chunks that a chunk imports, directly or through others. */
function importsOf(manifest: Record<string, Chunk>, chunk: Chunk, seen = new Set<Chunk>()): Chunk[] {
  for (const name of chunk.imports ?? []) {
    const imported = manifest[name];
    if (!imported || seen.has(imported)) continue;
    seen.add(imported);
    importsOf(manifest, imported, seen);
  }
  return [...seen];
}

const nameOf = (file: string) => file.slice(assetsFolder.length + 1);

/**
 * The bytes of a file in the best content coding that a client accepts.
 * @param acceptEncoding header of the request
 * @returns `coding` undefined for the file itself
 */
export function negotiate(
  { bytes, encoded }: PanelFile,
  acceptEncoding: string | undefined,
): { bytes: Buffer; coding: string | undefined } {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .map((each) =>
        each
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  );
  for (const [coding, encodedBytes] of encoded)
    if (accepted.has(coding)) return { bytes: encodedBytes, coding };
  return { bytes, coding: undefined };
}
