import { Injectable } from '@nestjs/common';
import type { Transaction } from '@quire/database';
import { OutboxDispatcher } from '@quire/jobs';
import { AuthClient, MediaClient } from '../clients/index.js';
import { SiteLocales } from '../locales/index.js';
import { Definitions, type CollectionDefinition } from '../schema/index.js';
import { EntryLimit } from './entry-limit.js';

/** A change of an entry's public URL, or its first one. */
export interface EntryUrlChange {
  tenantId: string;
  definition: CollectionDefinition;
  entry: { id: string; locale: string };
  /** Null when the entry had no public URL. */
  fromSlug: string | null;
  toSlug: string;
}

/** Entries of a collection that have their first public URL. */
export interface CreatedUrls {
  tenantId: string;
  definition: CollectionDefinition;
  entries: readonly { id: string; locale: string; slug: string }[];
}

/** Called in the transaction that creates or changes the public URL of an entry. */
export abstract class EntryUrlListener {
  abstract onUrlChanged(tx: Transaction, change: EntryUrlChange): Promise<void>;
  abstract onUrlsCreated(tx: Transaction, created: CreatedUrls): Promise<void>;
}

/** The dependencies of the operations on entries. */
@Injectable()
export class EntryDeps {
  constructor(
    readonly definitions: Definitions,
    readonly locales: SiteLocales,
    private readonly dispatcher: OutboxDispatcher,
    readonly urlListener: EntryUrlListener,
    readonly media: MediaClient,
    readonly users: AuthClient,
    readonly limit: EntryLimit,
  ) {}

  /** Wakes the outbox dispatcher, so that new messages are sent before the next poll. */
  wakeDispatcher(): void {
    this.dispatcher.wake();
  }
}
