import type { FieldType, FieldValidation } from '@quire/content-model';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Collection } from '../collections/collection.entity.js';

/** A field of a collection (spec document 3, Field definition properties). */
@Entity('fields')
@Index('fields_collection_id_slug', ['collectionId', 'slug'], { unique: true })
export class Field {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'fields_pkey' })
  id!: string;

  @Column('text', { name: 'collection_id' })
  collectionId!: string;

  @ManyToOne(() => Collection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'fields_collection_id_fkey' })
  collection?: Relation<Collection>;

  @Column('text')
  slug!: string;

  @Column('text')
  label!: string;

  @Column('text')
  type!: FieldType;

  @Column('boolean')
  required!: boolean;

  @Column('boolean')
  unique!: boolean;

  @Column('boolean')
  searchable!: boolean;

  @Column('boolean')
  indexed!: boolean;

  @Column('boolean')
  translatable!: boolean;

  @Column('json', { name: 'default_value', nullable: true })
  defaultValue!: unknown;

  @Column('json', { nullable: true })
  validation!: FieldValidation | null;

  @Column('text', { nullable: true })
  widget!: string | null;

  @Column('json', { nullable: true })
  options!: Record<string, unknown> | null;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
