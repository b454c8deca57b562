import { Inject, Injectable } from '@nestjs/common';
import { OutboxDispatcher } from '@quire/messages';
import { Locales } from '../locales/index.js';
import { MediaDirectory } from '../media/index.js';
import { Definitions } from '../schema/index.js';
import { UserDirectory } from '../users/index.js';
import { EntryMoves } from './entry-moves.js';

/** What operations on entries work with, beside their context. */
@Injectable()
export class EntryServices {
  constructor(
    @Inject(Definitions) readonly definitions: Definitions,
    @Inject(Locales) readonly locales: Locales,
    @Inject(OutboxDispatcher) private readonly dispatcher: OutboxDispatcher,
    @Inject(EntryMoves) readonly moves: EntryMoves,
    @Inject(MediaDirectory) readonly media: MediaDirectory,
    @Inject(UserDirectory) readonly users: UserDirectory,
  ) {}

  /** Sends what was just written to the outbox on its way, without waiting for the next poll. */
  announce(): void {
    this.dispatcher.wake();
  }
}
