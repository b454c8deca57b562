import type { FieldDefinition } from '../fields/field-definition.js';
import type { FieldType } from '../fields/field-types.js';
import { isCompatibleType } from './compatible-types.js';
import { isParentField, type RequiredField } from './required-fields.js';

/** `ready`: nothing to do. `incompatible`: a person has to change a field first (spec document 3, Post type status). */
export type ImportStatus = 'ready' | 'new_collection' | 'add_fields' | 'incompatible';

/** How an existing field, or its absence, relates to a required one. */
export interface RequiredFieldStatus {
  status: 'compatible' | 'missing' | 'type_mismatch';
  /** Absent for a missing field. */
  existingType?: FieldType;
  requiredType: FieldType;
}

/** Whether a collection can take what an import writes (import contract 1.2, schemaStatus). */
export interface ImportSchemaStatus {
  exists: boolean;
  canImport: boolean;
  /** Names the fields of other types; absent when `canImport`. */
  reason?: string;
  /** By the slug of the required field. */
  fieldStatus: Record<string, RequiredFieldStatus>;
}

/** The compatibility of a collection with an import. */
export interface ImportCompatibility {
  status: ImportStatus;
  schemaStatus: ImportSchemaStatus;
}

type ExistingField = Pick<FieldDefinition, 'slug' | 'type'>;

/**
 * Compares the fields that an import needs with those of its collection (import contract 1.2). A required field that
 * exists with a compatible type is not changed by an import, whatever its other settings. A field of another type in
 * the place of the one for parents is no obstacle: parents are then kept in the records of the import.
 * @param existing the fields of the collection; null when there is no such collection
 */
export function checkImportCompatibility(
  required: readonly Pick<RequiredField, 'slug' | 'type'>[],
  existing: readonly ExistingField[] | null,
): ImportCompatibility {
  const typeOf = new Map((existing ?? []).map(({ slug, type }) => [slug, type]));
  const checked = required.map(({ slug, type }) => [slug, statusOf(type, typeOf.get(slug))] as const);
  const mismatches = checked.filter(
    ([slug, { status, requiredType: type }]) => status === 'type_mismatch' && !isParentField({ slug, type }),
  );
  const hasMissing = checked.some(([, { status }]) => status === 'missing');
  return {
    status: overallStatus({ exists: existing !== null, hasMismatch: mismatches.length > 0, hasMissing }),
    schemaStatus: {
      exists: existing !== null,
      canImport: mismatches.length === 0,
      ...(mismatches.length > 0 && { reason: reasonOf(mismatches) }),
      fieldStatus: Object.fromEntries(checked),
    },
  };
}

function statusOf(requiredType: FieldType, existingType: FieldType | undefined): RequiredFieldStatus {
  if (existingType === undefined) return { status: 'missing', requiredType };
  const status = isCompatibleType(requiredType, existingType) ? 'compatible' : 'type_mismatch';
  return { status, existingType, requiredType };
}

function overallStatus({
  exists,
  hasMismatch,
  hasMissing,
}: Record<'exists' | 'hasMismatch' | 'hasMissing', boolean>): ImportStatus {
  if (!exists) return 'new_collection';
  if (hasMismatch) return 'incompatible';
  return hasMissing ? 'add_fields' : 'ready';
}

function reasonOf(mismatches: readonly (readonly [string, RequiredFieldStatus])[]): string {
  const fields = mismatches.map(
    ([slug, { existingType, requiredType }]) => `'${slug}' is ${existingType}, not ${requiredType}`,
  );
  return `Fields of other types: ${fields.join('; ')}`;
}
