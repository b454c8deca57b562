import type { FairQueueLimits } from './fair-queue.js';

/** Limits of the inspection of uploads. */
export const inspectionQueueLimits: FairQueueLimits = { maxRunning: 3, maxRunningPerTenant: 2 };
/** Limits of the rendering of variants. Beyond them requests get a 503 with Retry-After. */
export const renderingQueueLimits: FairQueueLimits = {
  maxRunning: 3,
  maxRunningPerTenant: 2,
  maxWaitingPerTenant: 100,
  maxWaiting: 2_000,
};

/** A process whose inspection takes longer is killed. */
export const inspectionTimeoutMs = 10_000;
export const renderingTimeoutMs = 30_000;

/** Larger files are not decoded. */
export const maxDecodableBytes = 32 * 1024 * 1024;
/** Images with more pixels are not decoded: a small file may have any number of pixels. */
export const maxPixels = 50_000_000;
/** Pixels of all frames of an animation, which are in memory together. */
export const maxAnimationPixels = 25_000_000;
export const maxAnimationFrames = 500;

/** Raster images. SVG is not decoded, because it may have active content. */
const rasterTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
]);

/** Whether a file is an image within the limits of decoding. */
export function isDecodable({ mimeType, size }: { mimeType: string; size: number }): boolean {
  return isRaster(mimeType) && size <= maxDecodableBytes;
}

/** Whether files of this type are images that can be decoded. */
export function isRaster(mimeType: string): boolean {
  return rasterTypes.has(mimeType);
}
