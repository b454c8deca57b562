import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A list of entries of the admin panel that a user has named: its filters, order and columns. */
@Entity('saved_views')
@Index('saved_views_collection', ['collection', 'ownerId'])
export class SavedView {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'saved_views_pkey' })
  id!: string;

  /** Slug; the view is kept when the collection is deleted. */
  @Column('text')
  collection!: string;

  @Column('text', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  name!: string;

  /** The query of the panel's address. */
  @Column('text')
  search!: string;

  /** Whether all users of the panel see it. */
  @Column('boolean', { name: 'is_shared' })
  isShared!: boolean;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
