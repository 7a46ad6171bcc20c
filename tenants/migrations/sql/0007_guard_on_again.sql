-- The owner reads and writes nothing under forced row security, so it has a policy of its own for the time of this.
CREATE POLICY guard_on_again ON tenant TO CURRENT_USER USING (true);
UPDATE tenant SET switched_off = array_remove(switched_off, 'injection') WHERE 'injection' = ANY (switched_off);
DROP POLICY guard_on_again ON tenant;
