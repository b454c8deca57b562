import type { HostedApplication } from '@quire/import-sources';
import type { ObjectStore } from '@quire/object-store';
import type { Logger } from '@quire/observability';
import type { TransferClients } from './clients/index.js';
import type { ImportSources } from './import/sources/index.js';
import type { WriteFence } from './write-fence.js';

/** Dependencies of the transfer operations and the worker. */
export class TransferDeps {
  constructor(
    readonly clients: TransferClients,
    /** The store of media files, which has the files of imports too. */
    readonly store: ObjectStore,
    readonly sources: ImportSources,
    readonly logger: Logger,
    /** Sends pending messages of the outbox now. */
    readonly wakeDispatcher: () => void,
    /** Keeps others from writing to the site during its import. */
    readonly fence: WriteFence,
    readonly options: {
      /** Maximum size of an export file in bytes. */
      maxImportBytes: number;
      /** Maximum size of a media file in bytes. */
      maxMediaBytes: number;
      /** The OAuth application at the hosted edition. */
      hostedApplication: HostedApplication;
      /** Version of this installation. */
      version: string;
    },
  ) {}
}
