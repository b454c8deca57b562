import { Inject, Injectable } from '@nestjs/common';
import { OutboxDispatcher } from '@quire/messages';
import { Locales } from '../locales/index.js';
import { MediaClient, AuthClient } from '../clients/index.js';
import { Definitions } from '../schema/index.js';
import { EntryUrlListener } from './entry-url-changes.js';

/** The dependencies of the operations on entries. */
@Injectable()
export class EntryDeps {
  constructor(
    @Inject(Definitions) readonly definitions: Definitions,
    @Inject(Locales) readonly locales: Locales,
    @Inject(OutboxDispatcher) private readonly dispatcher: OutboxDispatcher,
    @Inject(EntryUrlListener) readonly urlListener: EntryUrlListener,
    @Inject(MediaClient) readonly media: MediaClient,
    @Inject(AuthClient) readonly users: AuthClient,
  ) {}

  /** Wakes the outbox dispatcher, so that new messages are sent before the next poll. */
  wakeDispatcher(): void {
    this.dispatcher.wake();
  }
}
