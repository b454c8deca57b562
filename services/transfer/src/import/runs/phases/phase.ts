import type { Context } from '@quire/context';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { ImportPhase } from '../import.entity.js';
import type { ImportProgress } from '../import-progress.js';

/**
 * Takes steps of a phase until it is done, and then begins the next phase; or until `mustStop`, or until the import is
 * paused. A phase continues at the recorded cursor.
 */
export type Phase = (
  ctx: Context,
  deps: TransferDeps,
  progress: ImportProgress,
  mustStop: () => boolean,
) => Promise<void>;

export type Phases = Readonly<Record<Exclude<ImportPhase, 'end'>, Phase>>;
