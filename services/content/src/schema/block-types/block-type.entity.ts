import type { BlockField } from '@quire/content-model';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';

/** A block type (contract 15). Its versions are rows of their own. */
@Entity('block_types')
@Unique('block_types_slug_key', ['slug'])
export class BlockType {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'block_types_pkey' })
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  label!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  icon!: string | null;

  @Column('text', { nullable: true })
  category!: string | null;

  /** The active version: new blocks get it. */
  @Column('integer', { name: 'current_version' })
  currentVersion!: number;

  @Column('text')
  source!: 'user' | 'seed';

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A version of a block type. Stored blocks name their version, so none is ever deleted. */
@Entity('block_type_versions')
@Unique('block_type_versions_block_type_id_version_key', ['blockTypeId', 'version'])
export class BlockTypeVersion {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'block_type_versions_pkey' })
  id!: string;

  @Column('text', { name: 'block_type_id' })
  blockTypeId!: string;

  @ManyToOne(() => BlockType, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'block_type_id',
    foreignKeyConstraintName: 'block_type_versions_block_type_id_fkey',
  })
  blockType?: Relation<BlockType>;

  @Column('integer')
  version!: number;

  @Column('json')
  fields!: BlockField[];

  /** A hash over the fields without their labels. */
  @Column('text')
  fingerprint!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
