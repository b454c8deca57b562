import { z } from 'zod';
import { variantFormats, type VariantFormat, type VariantSpec } from '../images/index.js';

/**
 * Widths in pixels for pages on telephones up to large screens. The fixed list limits the number of variants of one
 * image.
 */
const widths = [64, 128, 256, 384, 640, 828, 1080, 1280, 1600, 1920, 2560];
const qualities = [50, 75, 90];
const defaultQuality = 75;

/** Default formats of variants by the type of the file. Other types get WebP. */
const defaultFormats: Readonly<Record<string, VariantFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/avif': 'avif',
};

/** The query parameters of a variant. */
export const variantQuery = z.object({
  w: oneOf(widths),
  format: z.enum(variantFormats).optional(),
  q: oneOf(qualities),
  /** Signature with the key of the site, which makes the variant public. */
  signature: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 43 characters of base64url')
    .optional(),
});

export type VariantQuery = z.output<typeof variantQuery>;

/** The given parameters of a variant; none request the file itself. */
export function variantParameters(query: VariantQuery): string[] {
  return (['w', 'format', 'q'] as const).filter((name) => query[name] !== undefined);
}

/** Returns the requested variant of an image of a type. */
export function parseVariantSpec({ w, format, q }: VariantQuery, mimeType: string): VariantSpec {
  return { width: w, format: format ?? defaultFormats[mimeType] ?? 'webp', quality: q ?? defaultQuality };
}

/** The name of a variant. Specs that result in the same bytes have the same name. */
export function variantName({ width, format, quality }: VariantSpec): string {
  const size = width === undefined ? 'full' : String(width);
  return format === 'png' ? `${size}.png` : `${size}-${quality}.${format}`;
}

/** A number from a list, as text in a query. */
function oneOf(numbers: readonly number[]) {
  return z
    .enum(numbers.map(String) as [string, ...string[]], { error: `must be one of ${numbers.join(', ')}` })
    .transform(Number)
    .optional();
}
