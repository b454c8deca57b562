import type { BlockField } from '../block-types/block-fields.js';
import { isPlainObject } from '../fields/validation-context.js';
import type { CheckedField } from '../fields/field-definition.js';
import { localProvider } from '../fields/media-fields.js';
import { isStorableText } from '@quire/values';
import { richTextImages } from './rich-text-images.js';

/** How a value refers to a media item (sheet rest-shapes, section 11). */
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
  /** Where in the field, parts joined by dots: `hero`, `hero.darkVariant`, `rows.0.picture`. */
  fieldPath: string;
  /** The how-manieth reference of its field, from 0. */
  occurrenceIndex: number;
  referenceType: MediaReferenceType;
}

/** A field as far as finding media in its values needs to know. */
export type ReferencingField = Pick<CheckedField, 'slug' | 'type'> & {
  validation?: CheckedField['validation'] | undefined;
};

/** The fields of one version of a block type; null when there is no such version. */
export type BlockFieldsOf = (type: string, version: number) => readonly BlockField[] | null;

/** Longer texts are no ids of media. */
const maxIdLength = 64;

/** Which names references in plain media fields get: those of the collection, or those of a block. */
type FieldKinds = Readonly<Record<'image' | 'file', MediaReferenceType>>;
const ownKinds: FieldKinds = { image: 'image_field', file: 'file_field' };
const blockKinds: FieldKinds = { image: 'block_image', file: 'block_file' };

/** @param value the object that refers, where it is one of an image or file field */
type Found = (
  mediaId: unknown,
  path: string,
  type: MediaReferenceType,
  value?: Record<string, unknown>,
) => void;

/**
 * Everything in an entry's values that refers to the media library (document 1, Media 3): image and file fields, images
 * in rows of repeaters, image and gallery blocks of rich text, and the same inside of blocks, as the version that each
 * block carries declares its fields. Media of other providers and custom rich-text blocks are not looked at.
 * @param fields of the collection
 * @param values as they are stored, by field slug; whatever does not have the shape of its field refers to nothing
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

/** An image of the media library as an entry holds it: the object itself, in the values that were looked through. */
export interface LibraryImage {
  mediaId: string;
  value: Record<string, unknown>;
}

/** The values of image fields that stand for items of the media library, wherever `mediaReferences` finds them. */
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

/** Whether `libraryImages` can find something in values of a field. */
export function canContainLibraryImages(field: ReferencingField): boolean {
  return field.type !== 'file' && field.type !== 'portableText' && canReferenceMedia(field);
}

/** Whether values of a field can refer to media. */
export function canReferenceMedia({ type, validation }: ReferencingField): boolean {
  if (type === 'repeater') return (validation?.subFields ?? []).some((subField) => subField.type === 'image');
  return type === 'image' || type === 'file' || type === 'portableText' || type === 'blocks';
}

/** An id could stand for anything: what cannot be one of ours, such as an address, is left out. */
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
