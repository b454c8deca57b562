import type { Migration } from '@quire/database';

const shards = 16;

/**
 * The bytes of all ready items, in place of adding them up: triggers maintain the sum with each statement that changes
 * items, also with those of a former version.
 */
export const storageUseMigration: Migration = {
  name: '0073-storage-use',
  up: async (sql) => {
    await sql.query('LOCK TABLE media_items IN SHARE ROW EXCLUSIVE MODE');
    await sql.query(
      'CREATE TABLE storage_use (shard integer CONSTRAINT storage_use_pkey PRIMARY KEY, bytes bigint NOT NULL)',
    );
    await sql.query(`
      INSERT INTO storage_use (shard, bytes)
      SELECT 0, coalesce(sum(size), 0) FROM media_items WHERE status = 'ready'`);
    await sql.query(`
      CREATE FUNCTION count_media_bytes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      DECLARE change bigint;
      BEGIN
        CASE TG_OP
        WHEN 'INSERT' THEN SELECT sum(size) INTO change FROM changed_rows WHERE status = 'ready';
        WHEN 'DELETE' THEN SELECT -sum(size) INTO change FROM changed_rows WHERE status = 'ready';
        WHEN 'UPDATE' THEN change := CASE WHEN NEW.status = 'ready' THEN NEW.size ELSE 0 END
          - CASE WHEN OLD.status = 'ready' THEN OLD.size ELSE 0 END;
        ELSE DELETE FROM storage_use;
        END CASE;
        IF change <> 0 THEN
          INSERT INTO storage_use AS u (shard, bytes) VALUES (pg_backend_pid() % ${shards}, change)
          ON CONFLICT (shard) DO UPDATE SET bytes = u.bytes + excluded.bytes;
        END IF;
        RETURN NULL;
      END
      $$`);
    const create = (name: string, rule: string) =>
      sql.query(`CREATE TRIGGER ${name} AFTER ${rule} EXECUTE FUNCTION count_media_bytes()`);
    await create(
      'count_inserted_media_bytes',
      'INSERT ON media_items REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT',
    );
    await create(
      'count_deleted_media_bytes',
      'DELETE ON media_items REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT',
    );
    await create(
      'count_changed_media_bytes',
      `UPDATE ON media_items FOR EACH ROW
       WHEN ((OLD.status, OLD.size) IS DISTINCT FROM (NEW.status, NEW.size))`,
    );
    await create('count_no_media_bytes', 'TRUNCATE ON media_items FOR EACH STATEMENT');
  },
};
