import type { Tokenizer } from '@quire/search-engine';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SearchCollection } from './search-collection.entity.js';

/**
 * A generation of a collection's index. One is live. The newest one is being built until it is live. The others are to
 * be deleted.
 */
@Entity('search_generations')
export class SearchGeneration {
  @PrimaryColumn('text', { name: 'collection_id', primaryKeyConstraintName: 'search_generations_pkey' })
  collectionId!: string;

  @ManyToOne(() => SearchCollection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'search_generations_collection_id_fkey' })
  collection?: Relation<SearchCollection>;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_generations_pkey' })
  generation!: number;

  @Column('text')
  tokenizer!: Tokenizer;

  @Column('json')
  weights!: Record<string, number>;

  @Column('double precision', { name: 'title_weight', nullable: true })
  titleWeight!: number | null;

  /** See `indexFormat` of libs/search-engine. */
  @Column('smallint', { default: 1 })
  format!: number;

  /** Fingerprint of the collection's fields at the start; empty if the generation has texts of other fields too. */
  @Column('text')
  fingerprint!: string;

  /** Entries up to this id are indexed; null before the first page. */
  @Column('text', { name: 'after_id', nullable: true })
  afterId!: string | null;
}
