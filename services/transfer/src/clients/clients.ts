import type { InternalApiClient } from '@quire/service-client';

/** Clients of the services whose data imports and exports read and write. */
export interface TransferClients {
  content: InternalApiClient;
  media: InternalApiClient;
  auth: InternalApiClient;
  search: InternalApiClient;
}
