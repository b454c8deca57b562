import {
  blockFieldDefinition,
  blockFingerprint,
  compileFields,
  type BlockFieldsOf,
  type BlockTypes,
  type CompiledFields,
  type FieldDefinition,
} from '@quire/content-model';
import type { StoredBlockType, StoredBlockTypeVersion } from './block-types.repository.js';

/** The active version of a block type: new blocks get it. */
export function activeVersion({ slug, currentVersion, versions }: StoredBlockType): StoredBlockTypeVersion {
  const active = versions.find(({ version }) => version === currentVersion);
  if (!active) throw new Error(`The block type ${slug} has no active version`);
  return active;
}

/** A site's block types as the validation of blocks fields looks them up. */
export function blockTypeLookup(types: readonly StoredBlockType[]): BlockTypes {
  const compiled = new Map<string, Map<number, CompiledFields>>();
  for (const { slug, versions } of types) {
    const byVersion = versions.map(({ version, fields }): [number, CompiledFields] => [
      version,
      compileFields(fields.map(blockFieldDefinition), slug),
    ]);
    compiled.set(slug, new Map(byVersion));
  }
  const active = new Map(types.map(({ slug, currentVersion }) => [slug, currentVersion]));
  return {
    has: (type) => compiled.has(type),
    version: (type, version) => compiled.get(type)?.get(version) ?? null,
    activeVersion: (type) => active.get(type) ?? null,
  };
}

/** Looks up the fields of each version of a site's block types. */
export function blockFieldsOf(types: readonly StoredBlockType[]): BlockFieldsOf {
  const byType = new Map(types.map(({ slug, versions }) => [slug, versions]));
  return (type, version) => byType.get(type)?.find((each) => each.version === version)?.fields ?? null;
}

/** The block types of a blocks field, retired ones included; all of the site when the field has no list. */
export function typesOfField(
  { validation }: Pick<FieldDefinition, 'validation'>,
  types: readonly StoredBlockType[],
): StoredBlockType[] {
  const { allowedTypes, retiredTypes = [] } = validation ?? {};
  if (allowedTypes === undefined) return [...types];
  const bySlug = new Map(types.map((type) => [type.slug, type]));
  return [...allowedTypes, ...retiredTypes].flatMap((slug) => bySlug.get(slug) ?? []);
}

/** A hash that changes with the types that a field accepts, or with their active versions. */
export function fingerprintOfTypes(types: readonly StoredBlockType[]): string {
  const entries = types.map((type) => ({
    slug: `${type.slug}@${type.currentVersion}:${activeVersion(type).fingerprint}`,
    label: '',
    type: 'string' as const,
  }));
  return blockFingerprint(entries);
}
