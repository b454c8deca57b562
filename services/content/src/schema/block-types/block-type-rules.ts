import {
  blockFieldDefinition,
  blockFingerprint,
  compileFields,
  type BlockFieldsOf,
  type BlockTypes,
  type CompiledFields,
  type FieldDefinition,
} from '@quire/content-model';
import { activeVersion, type BlockType } from './block-type.js';

/** What blocks fields ask of a site's block types when values are checked. */
export function blockTypeLookup(types: readonly BlockType[]): BlockTypes {
  const compiled = new Map<string, Map<number, CompiledFields>>();
  for (const { slug, versions } of types) {
    const byVersion = versions.map(({ version, fields }): [number, CompiledFields] => [
      version,
      compileFields(fields.map(blockFieldDefinition), slug),
    ]);
    compiled.set(slug, new Map(byVersion));
  }
  return {
    has: (type) => compiled.has(type),
    version: (type, version) => compiled.get(type)?.get(version) ?? null,
  };
}

/** The fields of each version of a site's block types, as they were defined. */
export function blockFieldsOf(types: readonly BlockType[]): BlockFieldsOf {
  const byType = new Map(types.map(({ slug, versions }) => [slug, versions]));
  return (type, version) => byType.get(type)?.find((each) => each.version === version)?.fields ?? null;
}

/** The block types that a blocks field may hold, those it keeps for stored blocks included; without a list, all. */
export function typesOfField(
  { validation }: Pick<FieldDefinition, 'validation'>,
  types: readonly BlockType[],
): BlockType[] {
  const { allowedTypes, retiredTypes = [] } = validation ?? {};
  if (allowedTypes === undefined) return [...types];
  const bySlug = new Map(types.map((type) => [type.slug, type]));
  return [...allowedTypes, ...retiredTypes].flatMap((slug) => bySlug.get(slug) ?? []);
}

/** Changes when what an editor may put into the field changes. */
export function fingerprintOfTypes(types: readonly BlockType[]): string {
  const parts = types.map((type) => ({
    slug: `${type.slug}@${type.currentVersion}:${activeVersion(type).fingerprint}`,
    label: '',
    type: 'string' as const,
  }));
  return blockFingerprint(parts);
}
