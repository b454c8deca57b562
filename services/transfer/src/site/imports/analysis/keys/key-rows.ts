import { sourceKeysOf } from '@quire/content-model';
import { recordDefinitions, recordKinds, referencesOf, sha256Of, type RecordKind } from '@quire/site-package';
import type { ImportKeyRow } from './import-keys.repository.js';

type PackageRecord = Readonly<Record<string, unknown>>;

/** Longer values are stored as digests. */
const maxValueLength = 200;

/** The properties of a media item that its file must have. */
const mediaFileProperties = ['sha256', 'size'] as const;

/** Kinds and properties that references name: `entries.id`. */
const namedScopes = new Set(
  recordKinds.flatMap((kind) => referencesOf(kind).map(({ reference }) => scopeOf(reference))),
);

/** References that are compared record by record, beside those to parents: of a draft and of revisions. */
const pairedReferences: ReadonlySet<string> = new Set(['entries.draftRevisionId', 'revisions.entryId']);

interface KindPlan {
  values: readonly (readonly string[])[];
  /** `isSeparate`: each record has a row of its own, whose key is that of the record. */
  references: readonly { property: string; scope: string; isSeparate: boolean }[];
}

const plans = Object.fromEntries(recordKinds.map((kind) => [kind, planOf(kind)])) as Record<
  RecordKind,
  KindPlan
>;

/** Combinations of properties that no two records of a kind share, beside its key, whose order shows equal ones. */
export function uniqueScopes(kind: RecordKind): string[] {
  const { key, unique } = recordDefinitions[kind];
  return unique
    .filter((properties) => properties.join() !== key.join())
    .map((properties) => `${kind}.${properties.join()}`);
}

/** The rows of one batch. Values that several records name are one row. */
export class KeyRows {
  readonly rows: ImportKeyRow[] = [];
  private readonly named = new Map<string, ImportKeyRow>();

  /** Adds the keys, references and unique values of a record that its schema accepts. */
  add(kind: RecordKind, key: string, record: PackageRecord): void {
    const { values, references } = plans[kind];
    for (const properties of values) {
      const parts = properties.map((property) => comparedValue(kind, property, record[property]));
      this.addValue(kind, { key, property: properties.join(), parts });
    }
    for (const { property, scope, isSeparate } of references) {
      const named = record[property];
      if (typeof named === 'string') this.addReference(kind, { key, property, scope, named, isSeparate });
    }
  }

  /** Adds a value that no two records have. Null and absent parts make it different from all others. */
  addValue(
    kind: RecordKind,
    { key, property, parts }: { key: string; property: string; parts: readonly unknown[] },
  ): void {
    if (parts.some((part) => part === null || part === undefined)) return;
    const value = textOf(parts);
    const scope = `${kind}.${property}`;
    this.rows.push({ role: 'value', kind, property, scope, value, recordKey: key, count: 1 });
  }

  private addReference(
    kind: RecordKind,
    reference: { key: string; property: string; scope: string; named: string; isSeparate: boolean },
  ): void {
    const { key, property, scope, named, isSeparate } = reference;
    const value = textOf([named]);
    const identity = `${kind} ${property} ${value}`;
    const same = isSeparate ? undefined : this.named.get(identity);
    if (same) {
      same.count += 1;
      return;
    }
    const row = { role: 'reference' as const, kind, property, scope, value, recordKey: key, count: 1 };
    this.rows.push(row);
    if (!isSeparate) this.named.set(identity, row);
  }
}

function planOf(kind: RecordKind): KindPlan {
  const { schema } = recordDefinitions[kind];
  const named = Object.keys(schema.shape).filter((property) => namedScopes.has(`${kind}.${property}`));
  const unique = uniqueScopes(kind).map((scope) => scope.slice(kind.length + 1));
  const scopes = new Set([...named, ...unique]);
  if (kind === 'media_items') scopes.add(mediaFileProperties.join());
  return {
    values: [...scopes].map((properties) => properties.split(',')),
    references: referencesOf(kind).map(({ property, reference }) => ({
      property,
      scope: scopeOf(reference),
      isSeparate: reference.kind === kind || pairedReferences.has(`${kind}.${property}`),
    })),
  };
}

function scopeOf({ kind, property = 'id' }: { kind: RecordKind; property?: string }): string {
  return `${kind}.${property}`;
}

/** The form in which the site compares texts of a property. */
const comparedForms: Readonly<Record<string, (text: string) => string>> = {
  // The media library compares names of folders without case and forms of letters.
  'media_folders.name': (name) => name.normalize('NFKC').toLowerCase().normalize('NFKC'),
  // Redirects are found by the normalised path, patterns without the names of their placeholders.
  'redirects.source': (source) => (source.startsWith('/') ? sourceKeysOf(source).sourceKey : source),
};

function comparedValue(kind: RecordKind, property: string, value: unknown): unknown {
  const form = comparedForms[`${kind}.${property}`];
  return form === undefined || typeof value !== 'string' ? value : form(value);
}

function textOf(parts: readonly unknown[]): string {
  const [first] = parts;
  const text = parts.length === 1 && typeof first === 'string' ? first : JSON.stringify(parts);
  return text.length > maxValueLength ? `sha256:${sha256Of(text)}` : text;
}
