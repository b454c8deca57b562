import type { FieldType, SubFieldType } from './field-types.js';

/** One column of a repeater's rows. */
export interface SubField {
  slug: string;
  label: string;
  type: SubFieldType;
  required?: boolean;
  /** The choices of a `select` sub-field. */
  options?: string[];
}

/** The type-specific rules of a field; `checkFieldDefinition` checks which of them a type has. */
export interface FieldValidation {
  required?: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  options?: string[];
  subFields?: SubField[];
  minItems?: number;
  maxItems?: number;
  allowedMimeTypes?: string[];
  targetCollection?: string;
  multiple?: boolean;
  relation?: string;
  relationSide?: 'parent' | 'child';
  allowedTypes?: string[];
  retiredTypes?: string[];
}

/** A field of a collection, complete: an optional property that is not set is null. */
export interface FieldDefinition {
  slug: string;
  label: string;
  type: FieldType;
  required: boolean;
  unique: boolean;
  searchable: boolean;
  indexed: boolean;
  translatable: boolean;
  defaultValue: unknown;
  validation: FieldValidation | null;
  widget: string | null;
  options: Record<string, unknown> | null;
  sortOrder: number | null;
}

/** The properties of a definition that the validation of a value uses. */
export type CheckedField = Pick<FieldDefinition, 'slug' | 'type' | 'required' | 'validation' | 'options'>;

/** Whether a value is required, by the field itself or by its rules. */
export function isRequired(field: Pick<FieldDefinition, 'required' | 'validation'>): boolean {
  return field.required || field.validation?.required === true;
}

/** Whether a reference field views a relation: then it has no column, and its links are not part of `data`. */
export function isRelationField(field: Pick<FieldDefinition, 'type' | 'validation'>): boolean {
  return field.type === 'reference' && typeof field.validation?.relation === 'string';
}

/** Whether an unbound reference field holds a list of ids instead of one. */
export function allowsMultiple(field: Pick<FieldDefinition, 'type' | 'options'>): boolean {
  return field.type === 'reference' && field.options?.['allowMultiple'] === true;
}
