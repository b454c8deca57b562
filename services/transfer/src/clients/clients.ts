import type { InternalApiClient } from '@quire/service-client';

/** Clients of the services that imports write to. */
export interface TransferClients {
  content: InternalApiClient;
  media: InternalApiClient;
  auth: InternalApiClient;
}
