import {
  isInLogicalDigest,
  keyOf,
  logicalBytesOf,
  packageLimits,
  recordDefinitions,
  RunningDigest,
  type RecordKind,
} from '@quire/site-package';
import type { AnalysisCursor } from '../analysis-cursor.js';
import type { IssueList } from '../issues/issue-list.js';
import { KeyRows } from '../keys/key-rows.js';
import type { ImportKeyRow } from '../keys/import-keys.repository.js';
import { checkCustomLinks, maxUrlFields } from './check-byline.js';
import { checkDefinition } from './check-definition.js';
import { checkEntry, checkRevision } from './check-entry.js';
import { checkRecord } from './check-record.js';
import { checkShape } from './check-shape.js';
import type { PackageSchema } from './package-schema.js';
import { parseRecord, type RecordFault } from './parse-record.js';
import type { AnalyzedBatch } from './read-batch.js';

type Locales = NonNullable<AnalysisCursor['locales']>;
type PackageRecord = Readonly<Record<string, unknown>>;

/** Locales that the records of a kind may have. */
const maxLocales = 500;
/** Lines that are no records, after which the rest is not read. */
const maxUnreadable = 1000;

/** Checks records in the order of the package, and keeps what the later stages compare. */
export class RecordScan {
  readonly rows: ImportKeyRow[] = [];
  records = 0;
  bytes = 0;

  private constructor(
    private readonly cursor: AnalysisCursor,
    private readonly issues: IssueList,
    private readonly schema: PackageSchema,
    private readonly digest: RunningDigest,
  ) {}

  /** @param cursor of the step before @param schema of the package, for the checks of entries and revisions */
  static async open(cursor: AnalysisCursor, issues: IssueList, schema: PackageSchema): Promise<RecordScan> {
    const locales = withoutPrototypes(cursor.locales ?? {});
    return new RecordScan(
      { ...cursor, locales },
      issues,
      schema,
      await RunningDigest.open(cursor.logicalState),
    );
  }

  /** Whether so many lines are no records that the rest says nothing. */
  get isHopeless(): boolean {
    return (this.cursor.unreadable ?? 0) >= maxUnreadable;
  }

  /** Checks the records of a batch. */
  scan(batch: AnalyzedBatch): void {
    const { kind, path, lines, isUtf8, isTooLarge, bytes } = batch;
    if (isTooLarge) {
      this.block(
        kind,
        { code: 'limit_exceeded', message: 'A record is larger than the limit of the format' },
        path,
      );
      this.cursor.isIncomplete = true;
    }
    if (!isUtf8) this.block(kind, { code: 'record_invalid', message: 'A file is not UTF-8' }, path);
    this.countOfFile(batch);
    const rows = new KeyRows();
    for (const line of lines) this.scanLine(kind, path, line, rows);
    this.rows.push(...rows.rows);
    const counts = { ...this.cursor.counts };
    counts[kind] = (counts[kind] ?? 0) + lines.length;
    this.cursor.counts = counts;
    this.records += lines.length;
    this.bytes += bytes;
    this.cursor.place = batch.next;
  }

  /** The cursor after the scanned records. */
  save(): AnalysisCursor {
    return { ...this.cursor, issues: this.issues.save(), logicalState: this.digest.save() };
  }

  private countOfFile({ kind, path, lines }: AnalyzedBatch): void {
    const { last } = this.cursor;
    const recordsOfFile = lines.length + (last?.path === path ? last.recordsOfFile : 0);
    if (
      recordsOfFile > packageLimits.chunkRecords &&
      recordsOfFile - lines.length <= packageLimits.chunkRecords
    )
      this.block(kind, { code: 'limit_exceeded', message: 'A file has too many records' }, path);
    const key = last?.kind === kind ? last.key : '';
    this.cursor.last = { kind, key, path, recordsOfFile };
  }

  private scanLine(kind: RecordKind, path: string, line: string, rows: KeyRows): void {
    const parsed = parseRecord(line);
    if ('fault' in parsed) {
      this.block(kind, parsed.fault, path);
      this.cursor.unreadable = (this.cursor.unreadable ?? 0) + 1;
      this.cursor.isIncomplete = true;
      return;
    }
    const { record } = parsed;
    if (isInLogicalDigest(kind)) this.digest.update(logicalBytesOf(kind, record));
    const shapeFaults = checkShape(kind, record);
    const key = keyOf(kind, record);
    for (const fault of shapeFaults) this.block(kind, fault, path, key);
    this.checkOrder(kind, path, key);
    rows.add(kind, key, record);
    if (shapeFaults.length === 0) this.checkContent(kind, { record, key, path, rows });
  }

  private checkOrder(kind: RecordKind, path: string, key: string): void {
    const { last } = this.cursor;
    if (!last) return;
    const order = compareBytes(last.key, key);
    if (order === 0 && key !== '')
      this.block(
        kind,
        { code: 'duplicate_id', message: 'Two records of the kind have the same key' },
        path,
        key,
      );
    if (order > 0)
      this.block(
        kind,
        { code: 'record_order_invalid', message: 'A record is after one with a greater key' },
        path,
        key,
      );
    last.key = key;
  }

  private checkContent(
    kind: RecordKind,
    { record, key, path, rows }: { record: PackageRecord; key: string; path: string; rows: KeyRows },
  ): void {
    const collection = this.schema.get(String(record['collection']));
    const faults = [...checkRecord(kind, record), ...checkDefinition(kind, record)];
    if (kind === 'entries' && collection) {
      const entry = checkEntry(collection, record, key, rows);
      faults.push(...entry.faults);
      this.warnOfExternalMedia(kind, key, entry.externalMedia);
    }
    if (kind === 'revisions' && collection) {
      const revision = checkRevision(collection, record);
      faults.push(...revision.faults);
      this.warnOfExternalMedia(kind, key, revision.externalMedia);
    }
    if (kind === 'byline_fields') faults.push(...this.keepUrlField(record));
    if (kind === 'bylines' || kind === 'byline_groups')
      faults.push(
        ...checkCustomLinks(record['customFields'] as Record<string, unknown>, this.cursor.urlFields ?? []),
      );
    for (const fault of faults) this.block(kind, fault, path, key);
    if (typeof record['locale'] === 'string') this.countLocale(kind, record['locale'], key);
    if (kind === 'settings') this.keepName(record);
  }

  private warnOfExternalMedia(kind: RecordKind, id: string, count: number): void {
    if (count === 0) return;
    const message = 'Values name media of other providers, which the package does not have';
    this.issues.warn({ code: 'media_provider_external', message, kind, id, count });
  }

  private countLocale(kind: RecordKind, locale: string, id: string): void {
    this.cursor.locales ??= {};
    const locales = (this.cursor.locales[kind] ??= Object.create(null) as Record<string, never>);
    const known = Object.hasOwn(locales, locale) ? locales[locale] : undefined;
    if (known) known.count += 1;
    else if (Object.keys(locales).length < maxLocales) locales[locale] = { id, count: 1 };
    else
      this.issues.block({
        code: 'limit_exceeded',
        message: `Records are in more than ${maxLocales} locales`,
        kind,
        id,
        property: 'locale',
      });
  }

  private keepName({ key, value }: PackageRecord): void {
    if ((key !== 'title' && key !== 'tagline') || typeof value !== 'string') return;
    this.cursor.names = { ...this.cursor.names, [key]: value };
  }

  /** Bylines come after their custom fields: their links are checked by the slugs of these. */
  private keepUrlField({ type, slug }: PackageRecord): RecordFault[] {
    if (type !== 'url') return [];
    const kept = this.cursor.urlFields ?? [];
    if (kept.length >= maxUrlFields)
      return [{ code: 'limit_exceeded', message: `Bylines have more than ${maxUrlFields} url fields` }];
    this.cursor.urlFields = [...kept, String(slug)];
    return [];
  }

  private block(kind: RecordKind, { path, ...fault }: RecordFault, file: string, id?: string): void {
    const [property] = path?.split('.') ?? [];
    const isValue = property === 'values' || property === 'data';
    const grouped = isValue ? path?.split('.').slice(0, 2).join('.') : property;
    const message = `${fault.message} (${recordDefinitions[kind].summary})`;
    this.issues.block({
      ...fault,
      message,
      kind,
      ...(id !== undefined && { id }),
      ...(grouped !== undefined && { property: grouped }),
      detail: { file, ...(path !== undefined && { path }) },
    });
  }
}

/** Copies whose members are own ones, also `__proto__`: a record may name any locale. */
function withoutPrototypes(locales: Locales): Locales {
  return Object.fromEntries(
    Object.entries(locales).map(([kind, found]) => [
      kind,
      Object.assign(Object.create(null), found) as typeof found,
    ]),
  );
}

/** The order of UTF-8 bytes. That of UTF-16 units differs where a text has surrogates. */
function compareBytes(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}
