import type { BlockField } from '../block-types/block-fields.js';
import { isPlainObject } from '../fields/validation-context.js';
import type { CheckedField } from '../fields/field-definition.js';
import { localProvider } from '../fields/media-fields.js';
import { isStorableText } from '@quire/values';
import { richTextImages } from './rich-text-images.js';

/** The kind of a reference to a media item (sheet rest-shapes, section 11). */
export const mediaReferenceTypes = [
  'image_field',
  'file_field',
  'portable_text_image',
  'portable_text_gallery',
  'block_image',
  'block_file',
] as const;

export type MediaReferenceType = (typeof mediaReferenceTypes)[number];

/** One position in the values of an entry that refers to an item of the site's media library. */
export interface MediaReference {
  mediaId: string;
  /** The field of the collection. */
  fieldSlug: string;
  /** The path inside the field, joined by dots: `hero`, `hero.darkVariant`, `rows.0.picture`. */
  fieldPath: string;
  /** The index of the reference within its field, from 0. */
  occurrenceIndex: number;
  referenceType: MediaReferenceType;
}

/** The properties of a field that finding media in its values needs. */
export type ReferencingField = Pick<CheckedField, 'slug' | 'type'> & {
  validation?: CheckedField['validation'] | undefined;
};

/** The fields of one version of a block type; null when there is no such version. */
export type BlockFieldsOf = (type: string, version: number) => readonly BlockField[] | null;

/** No media id is longer. */
const maxIdLength = 64;

/** The reference types of plain media fields: in a collection, or in a block. */
type FieldKinds = Readonly<Record<'image' | 'file', MediaReferenceType>>;
const ownKinds: FieldKinds = { image: 'image_field', file: 'file_field' };
const blockKinds: FieldKinds = { image: 'block_image', file: 'block_file' };

/** @param value the referring object, for image and file fields */
type Found = (
  mediaId: unknown,
  path: string,
  type: MediaReferenceType,
  value?: Record<string, unknown>,
) => void;

/**
 * All references of an entry's values to the media library (document 1, Media 3): image and file fields, images in rows
 * of repeaters, image and gallery blocks of rich text, and the same inside of blocks, by the fields of each block's
 * version. Media of other providers and custom rich-text blocks are skipped.
 * @param fields fields of the collection
 * @param values stored values, by field slug; a value that does not fit its field has no references
 * @returns the references in the order of the fields and of the values
 */
export function mediaReferences(
  fields: readonly ReferencingField[],
  values: Readonly<Record<string, unknown>>,
  blockFields: BlockFieldsOf,
): MediaReference[] {
  const references: MediaReference[] = [];
  for (const field of fields) {
    let occurrenceIndex = 0;
    const found: Found = (mediaId, fieldPath, referenceType) => {
      if (!isMediaId(mediaId)) return;
      references.push({ mediaId, fieldSlug: field.slug, fieldPath, occurrenceIndex, referenceType });
      occurrenceIndex += 1;
    };
    visitField(field, values, blockFields, found);
  }
  return references;
}

/** An image of the media library in the values of an entry: the object itself, not a copy. */
export interface LibraryImage {
  mediaId: string;
  value: Record<string, unknown>;
}

/** The values of image fields that refer to items of the media library, at all places of `mediaReferences`. */
export function libraryImages(
  fields: readonly ReferencingField[],
  values: Readonly<Record<string, unknown>>,
  blockFields: BlockFieldsOf,
): LibraryImage[] {
  const images: LibraryImage[] = [];
  const found: Found = (mediaId, _path, type, value) => {
    if (value && isMediaId(mediaId) && (type === 'image_field' || type === 'block_image'))
      images.push({ mediaId, value });
  };
  for (const field of fields) visitField(field, values, blockFields, found);
  return images;
}

function visitField(
  field: ReferencingField,
  values: Readonly<Record<string, unknown>>,
  blockFields: BlockFieldsOf,
  found: Found,
): void {
  const value = ownValue(values, field.slug);
  if (field.type === 'blocks') inBlocks(value, field.slug, blockFields, found);
  else inField(field, value, { path: field.slug, kinds: ownKinds, found });
}

/** Whether values of a field can have library images. */
export function canContainLibraryImages(field: ReferencingField): boolean {
  return field.type !== 'file' && field.type !== 'portableText' && canReferenceMedia(field);
}

/** Whether values of a field can refer to media. */
export function canReferenceMedia({ type, validation }: ReferencingField): boolean {
  if (type === 'repeater') return (validation?.subFields ?? []).some((subField) => subField.type === 'image');
  return type === 'image' || type === 'file' || type === 'portableText' || type === 'blocks';
}

/** Whether an id can be that of a media item: other ids, such as addresses, are no references. */
function isMediaId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= maxIdLength && /^[^/:\s]+$/u.test(id) && isStorableText(id);
}

interface FieldPosition {
  path: string;
  kinds: FieldKinds;
  found: Found;
}

function inField({ type, validation }: ReferencingField, value: unknown, position: FieldPosition): void {
  switch (type) {
    case 'image':
      inMediaValue(value, position.kinds.image, position);
      break;
    case 'file':
      inMediaValue(value, position.kinds.file, position);
      break;
    case 'repeater':
      inRows(validation?.subFields ?? [], value, position);
      break;
    case 'portableText':
      for (const { ref, path, isOfGallery } of richTextImages(value, position.path))
        position.found(ref, path, isOfGallery ? 'portable_text_gallery' : 'portable_text_image');
      break;
    default:
  }
}

function inMediaValue(value: unknown, type: MediaReferenceType, { path, found }: FieldPosition): void {
  if (!isPlainObject(value)) return;
  if (isLocal(value)) found(ownValue(value, 'id'), path, type, value);
  const dark = ownValue(value, 'darkVariant');
  if (isPlainObject(dark) && isLocal(dark)) found(ownValue(dark, 'id'), `${path}.darkVariant`, type, dark);
}

function isLocal(value: Record<string, unknown>): boolean {
  const provider = ownValue(value, 'provider') ?? localProvider;
  return provider === localProvider || provider === '';
}

function inRows(subFields: readonly ReferencingField[], value: unknown, position: FieldPosition): void {
  listOf(value).forEach((row, index) => {
    if (!isPlainObject(row)) return;
    for (const subField of subFields)
      inField(subField, ownValue(row, subField.slug), {
        ...position,
        path: `${position.path}.${index}.${subField.slug}`,
      });
  });
}

function inBlocks(value: unknown, path: string, blockFields: BlockFieldsOf, found: Found): void {
  listOf(value).forEach((block, index) => {
    if (!isPlainObject(block)) return;
    const type = ownValue(block, '_type');
    const version = ownValue(block, '_version');
    if (typeof type !== 'string' || !Number.isInteger(version)) return;
    for (const field of blockFields(type, version as number) ?? []) {
      const position = { path: `${path}.${index}.${field.slug}`, kinds: blockKinds, found };
      inField(field, ownValue(block, field.slug), position);
    }
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A field may be called `constructor`. */
const ownValue = (values: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined;
