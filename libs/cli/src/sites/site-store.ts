import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError, hasCode } from '../command-error.js';
import { withFileLock } from './file-lock.js';
import { replaceFile } from './private-file.js';

const loginSchema = z.object({
  clientId: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().nullable(),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Time at which the access token expires. */
  expiresAt: z.iso.datetime(),
  scopes: z.array(z.string()),
  email: z.string(),
});

/** The login at a site. */
export type Login = z.output<typeof loginSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  defaultSite: z.string().nullable(),
  sites: z.record(z.string(), loginSchema),
});

/** Logins by the origin of their site. */
export type StoredSites = z.output<typeof fileSchema>;

/** The logins of the user: `sites.json` in a folder that only the user can read. */
export class SiteStore {
  private readonly path: string;

  /** @param folder is created by the first write */
  constructor(private readonly folder: string) {
    this.path = join(folder, 'sites.json');
  }

  /** @throws CommandError for a file that is not valid */
  async read(): Promise<StoredSites> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (text === undefined) return { version: 1, defaultSite: null, sites: {} };
    const parsed = fileSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw new CommandError(`${this.path} is not valid: delete it and log in again`);
  }

  /**
   * Changes the logins while no other process does.
   * @param change gets the stored logins and changes them in place
   * @returns what `change` returns
   * @throws the error of `change`, after which the changes are stored all the same
   */
  async update<Result>(change: (stored: StoredSites) => Promise<Result> | Result): Promise<Result> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // The folder may be older than this program.
    await chmod(this.folder, 0o700);
    return withFileLock(`${this.path}.lock`, async () => {
      const stored = await this.read();
      const before = JSON.stringify(stored);
      try {
        return await change(stored);
      } finally {
        if (JSON.stringify(stored) !== before)
          await replaceFile(this.path, `${JSON.stringify(stored, null, 2)}\n`);
      }
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
