import type { FairQueueLimits } from './fair-queue.js';

/** Of uploads, whose placeholders take a moment each. */
export const inspectionQueueLimits: FairQueueLimits = { maxRunning: 2, maxRunningPerTenant: 1 };
/** Of variants. So many may wait; more are told to come again, so that what waits stays bounded. */
export const renderingQueueLimits: FairQueueLimits = {
  maxRunning: 3,
  maxRunningPerTenant: 2,
  maxWaitingPerTenant: 100,
  maxWaiting: 2_000,
};

/** A process that takes longer is killed. */
export const inspectionTimeoutMs = 10_000;
export const renderingTimeoutMs = 30_000;

/** Larger files are not read as a whole. */
export const maxDecodableBytes = 32 * 1024 * 1024;
/** Images of more pixels are not decoded: a small file may hold any number of them. */
export const maxPixels = 50_000_000;
/** Of an animation, all pictures together, which are all in memory at once. */
export const maxAnimationPixels = 25_000_000;
export const maxAnimationFrames = 500;

/** Raster images; an SVG is a program, and what it draws is nobody's business here. */
const rasterTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
]);

/** Whether a file may be decoded as a whole. */
export function isDecodable({ mimeType, size }: { mimeType: string; size: number }): boolean {
  return isRaster(mimeType) && size <= maxDecodableBytes;
}

/** Whether files of this type are images that can be decoded. */
export function isRaster(mimeType: string): boolean {
  return rasterTypes.has(mimeType);
}
