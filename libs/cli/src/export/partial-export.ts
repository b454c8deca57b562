import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError, hasCode } from '../command-error.js';
import { replaceFile } from '../sites/private-file.js';

const stateSchema = z.object({
  site: z.string(),
  comments: z.boolean(),
  /** Makes the start of the export repeatable. */
  idempotencyKey: z.string(),
  /** null before the site has responded with it. */
  exportId: z.string().nullable(),
  /** Entity tag and size of the archive; null before its first bytes. */
  archive: z.object({ etag: z.string(), size: z.number().int().nonnegative() }).nullable(),
});

type State = z.output<typeof stateSchema>;

/** What an export is of. */
export type ExportTarget = Pick<State, 'site' | 'comments'>;

/** The bytes of an archive so far (`FILE.part`), and what continues its export (`FILE.part.json`). */
export class PartialExport {
  readonly path: string;
  private readonly statePath: string;

  private constructor(
    private readonly file: string,
    private current: State,
  ) {
    this.path = `${file}.part`;
    this.statePath = statePathOf(file);
  }

  /**
   * Opens what an earlier command has left for the file, or begins.
   * @throws CommandError when it is of another site or has other options
   */
  static async open(file: string, target: ExportTarget): Promise<PartialExport> {
    const found = await readState(statePathOf(file));
    const partial = new PartialExport(file, found ?? begin(target));
    if (!found) await partial.restart();
    const { site, comments } = partial.current;
    if (site === target.site && comments === target.comments) return partial;
    throw new CommandError(
      `${partial.path} is of an export of ${site} with${comments ? '' : 'out'} comments: delete it and ${statePathOf(file)}, or name another file`,
    );
  }

  get state(): Readonly<State> {
    return this.current;
  }

  /** Bytes of the archive that are on this computer. */
  async bytes(): Promise<number> {
    try {
      return (await stat(this.path)).size;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 0;
      throw error;
    }
  }

  /** Stores what continues the export. */
  async save(changes: Partial<Pick<State, 'exportId' | 'archive'>>): Promise<void> {
    this.current = { ...this.current, ...changes };
    await replaceFile(this.statePath, `${JSON.stringify(this.current, null, 2)}\n`);
  }

  /** Begins with a new export. */
  async restart(): Promise<void> {
    this.current = begin(this.current);
    await this.restartDownload();
  }

  /** Begins with the first byte of the archive. */
  async restartDownload(): Promise<void> {
    await writeFile(this.path, '', { mode: 0o600 });
    await this.save({ archive: null });
  }

  /** Makes the bytes the file, which an earlier one gives way to. */
  async complete(): Promise<void> {
    await rename(this.path, this.file);
    await this.removeState();
  }

  /** Leaves nothing to continue. */
  async discard(): Promise<void> {
    await rm(this.path, { force: true });
    await this.removeState();
  }

  private removeState(): Promise<void> {
    return rm(this.statePath, { force: true });
  }
}

function statePathOf(file: string): string {
  return `${file}.part.json`;
}

function begin({ site, comments }: ExportTarget): State {
  return { site, comments, idempotencyKey: randomUUID(), exportId: null, archive: null };
}

/** @returns undefined without a state, and for one that is not valid: then nothing continues. */
async function readState(path: string): Promise<State | undefined> {
  try {
    return stateSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
