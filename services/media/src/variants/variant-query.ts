import { z } from 'zod';
import { variantFormats, type VariantFormat, type VariantSpec } from '../images/index.js';

/**
 * Widths in pixels, as pages for telephones up to large screens use them. A fixed list bounds what can be made of one
 * image.
 */
const widths = [64, 128, 256, 384, 640, 828, 1080, 1280, 1600, 1920, 2560];
const qualities = [50, 75, 90];
const defaultQuality = 75;

/** Formats that variants of other formats get when none is asked for. */
const defaultFormats: Readonly<Record<string, VariantFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/avif': 'avif',
};

/** What may be asked of an image beside its bytes. */
export const variantQuery = z.object({
  w: oneOf(widths),
  format: z.enum(variantFormats).optional(),
  q: oneOf(qualities),
  /** By the key of the site: then the variant is for anybody. */
  signature: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 43 characters of base64url')
    .optional(),
});

export type VariantQuery = z.output<typeof variantQuery>;

/** The parameters that ask for a variant; none ask for the file itself. */
export function variantParameters(query: VariantQuery): string[] {
  return (['w', 'format', 'q'] as const).filter((name) => query[name] !== undefined);
}

/** What is asked of an image of this type. */
export function parseVariantSpec({ w, format, q }: VariantQuery, mimeType: string): VariantSpec {
  return { width: w, format: format ?? defaultFormats[mimeType] ?? 'webp', quality: q ?? defaultQuality };
}

/** The name of a look; looks that make the same bytes share one. */
export function variantName({ width, format, quality }: VariantSpec): string {
  const size = width === undefined ? 'full' : String(width);
  return format === 'png' ? `${size}.png` : `${size}-${quality}.${format}`;
}

/** One of some numbers, as it stands in a query. */
function oneOf(numbers: readonly number[]) {
  return z
    .enum(numbers.map(String) as [string, ...string[]], { error: `must be one of ${numbers.join(', ')}` })
    .transform(Number)
    .optional();
}
