import { isPlainObject } from '../fields/validation-context.js';
import { localProvider } from '../fields/media-fields.js';

/** An image of a rich text, single or in a gallery. */
export interface RichTextImage {
  /** The reference of its asset, unchecked. */
  ref: unknown;
  /** The path: `body.3`, `body.4.images.0`. */
  path: string;
  isOfGallery: boolean;
}

/** Columns and covers may be nested; Quire writes no deeper text. */
const maxNestingDepth = 32;

/**
 * The images of a rich text, in its order (sheet import-and-fields: image, gallery, columns and cover). Blocks of
 * other types are skipped.
 * @param value a stored value; a value that is no rich text has no images
 */
export function richTextImages(value: unknown, path: string, depth = 0): RichTextImage[] {
  if (!Array.isArray(value) || depth > maxNestingDepth) return [];
  return value.flatMap((block: unknown, index) => {
    if (!isPlainObject(block)) return [];
    const itemPath = `${path}.${index}`;
    switch (block['_type']) {
      case 'image':
        return imageAt(block, itemPath, false);
      case 'gallery':
        return listOf(block['images']).flatMap((image, position) =>
          imageAt(image, `${itemPath}.images.${position}`, true),
        );
      case 'columns':
        return listOf(block['columns']).flatMap((column, position) =>
          isPlainObject(column)
            ? richTextImages(column['content'], `${itemPath}.columns.${position}.content`, depth + 1)
            : [],
        );
      case 'cover':
        return richTextImages(block['content'], `${itemPath}.content`, depth + 1);
      default:
        return [];
    }
  });
}

function imageAt(image: unknown, path: string, isOfGallery: boolean): RichTextImage[] {
  if (!isPlainObject(image) || !isPlainObject(image['asset'])) return [];
  const provider = image['asset']['provider'] ?? image['provider'] ?? localProvider;
  return provider === localProvider || provider === ''
    ? [{ ref: image['asset']['_ref'], path, isOfGallery }]
    : [];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
