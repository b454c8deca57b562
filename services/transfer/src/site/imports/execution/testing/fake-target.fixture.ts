import type { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import {
  listSiteMediaObjects,
  recordOwnerOf,
  recordOwners,
  siteRecords,
  type InternalOperation,
  type RecordOwner,
  type RequestOf,
} from '@quire/internal-api';
import type { ObjectStore } from '@quire/object-store';
import { keyOf, parentProperties, recordKinds, sha256Of, type RecordKind } from '@quire/site-package';

type PlainRecord = Record<string, unknown>;
type Write = RequestOf<typeof siteRecords.content.write>;

/** The site that receives an import, and the services that own its records, in memory. */
export class FakeTarget {
  readonly records = new Map<RecordKind, Map<string, PlainRecord>>();
  readonly copies = new Map<string, Map<RecordKind, PlainRecord[]>>();
  /** What happened, in order: "write content entries records". */
  readonly log: string[] = [];
  blockers: { kind: RecordKind; count: number }[] = [];
  isFenced = false;
  /** Called before a call is answered: it may throw. */
  beforeCall: (entry: string) => Promise<void> | void = () => undefined;
  /** Called after a call has taken effect: it may throw. */
  afterCall: (entry: string) => Promise<void> | void = () => undefined;
  private readonly partlyCleared = new Set<RecordOwner>();

  constructor(private readonly store: ObjectStore) {}

  readonly fence = {
    raise: () => {
      this.log.push('raise fence');
      this.isFenced = true;
      return Promise.resolve();
    },
    lift: () => {
      this.log.push('lift fence');
      this.isFenced = false;
      return Promise.resolve();
    },
  };

  clientOf(owner: RecordOwner) {
    return {
      call: async (operation: InternalOperation, _ctx: Context, input: Record<string, unknown> = {}) => {
        const name = operation.id.replace('SiteRecords', '');
        const entry = [name, owner, input['kind'], input['pass']].filter(Boolean).join(' ');
        await this.beforeCall(entry);
        this.log.push(entry);
        const answer = await this.answer(owner, operation, input);
        await this.afterCall(entry);
        return answer;
      },
    };
  }

  put(kind: RecordKind, record: PlainRecord): void {
    this.ofKind(kind).set(keyOf(kind, record), record);
  }

  /** All records of a kind in the order of their keys. */
  sorted(kind: RecordKind): PlainRecord[] {
    return [...this.ofKind(kind)]
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([, record]) => record);
  }

  /** The kinds that have records. */
  get kinds(): RecordKind[] {
    return recordKinds.filter((kind) => this.ofKind(kind).size > 0);
  }

  /** Key of the object of a media item. */
  objectKey(id: unknown): string {
    return `library/${sha256Of(String(id))}`;
  }

  private ofKind(kind: RecordKind): Map<string, PlainRecord> {
    const records = this.records.get(kind) ?? new Map<string, PlainRecord>();
    this.records.set(kind, records);
    return records;
  }

  private async answer(
    owner: RecordOwner,
    { id }: InternalOperation,
    input: Record<string, unknown>,
  ): Promise<unknown> {
    const copies = `${owner} ${String(input['operationId'])}`;
    const { stage, read, discard, inspect, clear, write, finish } = siteRecords[owner];
    switch (id) {
      case stage.id:
        return { counts: this.stage(owner, copies) };
      case read.id:
        return this.read(copies, input as { kind: RecordKind; after: number; maxRecords: number });
      case discard.id:
        this.copies.delete(copies);
        return {};
      case inspect.id:
        return {
          blockers: this.blockers.filter(({ kind }) => recordOwnerOf(kind) === owner),
          scaffold: [],
        };
      case clear.id:
        return { isComplete: this.clear(owner) };
      case write.id:
        await this.write(input as unknown as Write);
        return {};
      case finish.id:
        return {};
      case listSiteMediaObjects.id:
        return { items: await this.mediaObjects(String(input['after'])) };
      default:
        throw new Error(`${id} is not planned`);
    }
  }

  private stage(owner: RecordOwner, copies: string): Partial<Record<RecordKind, number>> {
    const kinds = this.kinds.filter((kind) => recordOwnerOf(kind) === owner);
    this.copies.set(copies, new Map(kinds.map((kind) => [kind, structuredClone(this.sorted(kind))])));
    return Object.fromEntries(kinds.map((kind) => [kind, this.ofKind(kind).size]));
  }

  private read(
    copies: string,
    { kind, after, maxRecords }: { kind: RecordKind; after: number; maxRecords: number },
  ) {
    const records = this.copies.get(copies)?.get(kind) ?? [];
    // Pages are short, as those of large records.
    const lines = records.slice(after, after + Math.min(maxRecords, 7)).map((each) => JSON.stringify(each));
    return { lines, last: after + lines.length };
  }

  /** Deletes half of the kinds at first. */
  private clear(owner: RecordOwner): boolean {
    const kinds = this.kinds.filter((kind) => recordOwnerOf(kind) === owner);
    const isPart = kinds.length > 1 && !this.partlyCleared.has(owner);
    this.partlyCleared.add(owner);
    for (const kind of isPart ? kinds.slice(0, kinds.length / 2) : kinds) this.records.delete(kind);
    return !isPart;
  }

  private async write({ kind, records, pass, mediaPrefix }: Write): Promise<void> {
    const [parent] = parentProperties(kind);
    for (const record of records.map((line) => JSON.parse(line) as PlainRecord)) {
      const key = keyOf(kind, record);
      const present = this.ofKind(kind).get(key);
      if (pass === 'parents' && parent !== undefined && present) present[parent] = record[parent];
      if (pass === 'parents' || present) continue;
      if (kind === 'media_items') await this.storeMedia(record, mediaPrefix);
      this.ofKind(kind).set(key, parent === undefined ? record : { ...record, [parent]: null });
    }
  }

  private async storeMedia({ id, sha256 }: PlainRecord, mediaPrefix: string): Promise<void> {
    const object = await this.store.get(`${mediaPrefix}${String(sha256)}`);
    if (!object) throw new Error('The bytes of the item are missing');
    await this.store.put(this.objectKey(id), object.bytes as Readable, { contentType: 'image/png' });
  }

  private mediaObjects(after: string) {
    return Promise.all(
      this.sorted('media_items')
        .filter(({ id }) => String(id) > after)
        .map(async ({ id, sha256 }) => {
          const objectKey = this.objectKey(id);
          return { id, sha256, objectKey, bytes: (await this.store.stat(objectKey))?.size ?? 0 };
        }),
    );
  }
}

export const fakeClients = (target: FakeTarget) =>
  Object.fromEntries(recordOwners.map((owner) => [owner, target.clientOf(owner)]));
