import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { TermGroup } from './term-group.entity.js';

/** A term of an entry. By translation group on both sides: it applies to all locales of the entry and of the term. */
@Entity('entry_terms')
@Index('entry_terms_term_entries', ['termGroup', 'collection', 'entryGroup'])
@Index('entry_terms_collection', ['collection', 'termGroup'])
export class EntryTerm {
  @PrimaryColumn('text', { name: 'entry_group', primaryKeyConstraintName: 'entry_terms_pkey' })
  entryGroup!: string;

  @PrimaryColumn('text', { name: 'term_group', primaryKeyConstraintName: 'entry_terms_pkey' })
  termGroup!: string;

  @ManyToOne(() => TermGroup, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'term_group', foreignKeyConstraintName: 'entry_terms_term_group_fkey' })
  group?: Relation<TermGroup>;

  /** The slug of the entry's collection. */
  @Column('text')
  collection!: string;
}
