import type { Progress } from '../terminal/progress-bar.js';

const mebibyte = 1024 * 1024;

/** Progress in bytes, shown in MiB. */
export function progressOfBytes({ current, total }: { current: number; total: number }): Progress {
  return { current, total, text: `${Math.floor(current / mebibyte)}/${Math.ceil(total / mebibyte)} MiB` };
}
