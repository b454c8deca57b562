import {
  digestOf,
  manifestSchema,
  packageFileAt,
  packageFileSchema,
  type DeclaredFile,
} from '@quire/site-package';
import { CommandError } from '../command-error.js';
import { FileTotals } from './file-totals.js';

/** What a verified package holds. */
export interface PackageSummary {
  records: number;
  media: { count: number; bytes: number };
  packageDigest: string;
}

/**
 * Compares the files of a package with the ones that its index declares, in any order. Media files are named by their
 * digest, so that their number does not count for the memory.
 */
export class PackageCheck {
  private readonly actual = new Map<string, DeclaredFile>();
  private readonly declared: DeclaredFile[] = [];
  private readonly actualMedia = new FileTotals();
  private readonly declaredMedia = new FileTotals();
  private manifest: string | undefined;

  /** Adds the text of `manifest.json`. */
  addManifest(text: string): void {
    this.manifest = text;
  }

  /** Adds a line of the index. @throws CommandError for a line that is not valid */
  addIndexLine(line: string): void {
    const { data: file } = packageFileSchema.safeParse(parseJson(line));
    if (!file) throw damaged('its index has a line that is not valid');
    if (packageFileAt(file.path)?.type === 'media') this.declaredMedia.add(file);
    else this.declared.push(file);
  }

  /** Adds a file with the digest of its bytes. @throws CommandError for one that no package has, or with other bytes */
  addFile(file: DeclaredFile): void {
    const type = packageFileAt(file.path);
    if (type === undefined) throw damaged(`it has the file '${file.path}', which no package has`);
    if (type.type !== 'media') return void this.actual.set(file.path, file);
    if (type.sha256 !== file.sha256) throw damaged(`${file.path} has other bytes than its name says`);
    this.actualMedia.add(file);
  }

  /**
   * Compares everything.
   * @param packageDigest that the site has for the package
   * @throws CommandError with the first difference
   */
  finish(packageDigest: string): PackageSummary {
    if (this.manifest === undefined) throw damaged('it has no manifest.json');
    if (digestOf(this.manifest) !== packageDigest)
      throw damaged(`the digest of its manifest.json is not ${packageDigest}, which the site has`);
    const { data: manifest } = manifestSchema.safeParse(parseJson(this.manifest));
    if (!manifest) throw damaged('its manifest.json is not valid');
    const declared = [...manifest.index, ...this.declared];
    for (const file of declared) this.compare(file);
    if (this.actual.size !== declared.length) throw damaged('it has files that its index does not declare');
    if (!this.actualMedia.equals(this.declaredMedia))
      throw damaged('it has other media files than its index');
    const { count, bytes } = this.actualMedia;
    const records = Object.values(manifest.counts).reduce((sum, number) => sum + number, 0);
    return { records, media: { count, bytes }, packageDigest };
  }

  private compare({ path, bytes, sha256 }: DeclaredFile): void {
    const actual = this.actual.get(path);
    if (!actual) throw damaged(`${path} is missing`);
    if (actual.bytes !== bytes || actual.sha256 !== sha256)
      throw damaged(`${path} has other bytes than declared`);
  }
}

/** The error for an archive that is not the package of the site. */
export function damaged(reason: string): CommandError {
  return new CommandError(
    `The archive is damaged: ${reason}. Run the same command again to download it again`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
