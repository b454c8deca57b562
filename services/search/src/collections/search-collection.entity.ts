import type { Tokenizer } from '@quire/search-engine';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A collection that is or was searchable; a disabled one keeps its settings (spec document 1, Search). */
@Entity('search_collections')
export class SearchCollection {
  @PrimaryColumn('text', { name: 'collection_id', primaryKeyConstraintName: 'search_collections_pkey' })
  collectionId!: string;

  @Column('text')
  slug!: string;

  /** Hidden collections are not searched. */
  @Column('boolean', { default: false })
  hidden!: boolean;

  @Column('boolean')
  enabled!: boolean;

  @Column('text')
  tokenizer!: Tokenizer;

  /** Weights by field slug. The default is 1. */
  @Column('json')
  weights!: Record<string, number>;

  /** Number of the newest generation, which is live or being built. */
  @Column('integer', { name: 'last_generation', default: 0 })
  lastGeneration!: number;

  /** The searched generation; null until the first one is complete. */
  @Column('integer', { name: 'live_generation', nullable: true })
  liveGeneration!: number | null;

  /** Whether the engine has lost the live generation. Searches fail until the next one is live. */
  @Column('boolean', { name: 'is_lost', default: false })
  isLost!: boolean;

  /** The difference between index and published entries at the last check; null for none. */
  @Column('text', { nullable: true })
  difference!: string | null;

  @Column({ type: 'timestamptz', name: 'last_rebuilt_at', precision: 3, nullable: true })
  lastRebuiltAt!: Date | null;
}
