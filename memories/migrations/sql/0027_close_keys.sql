DROP POLICY spell_keys ON collection_stat;
DROP POLICY spell_keys ON posting;
DROP POLICY spell_keys ON triple;
DROP POLICY spell_keys ON contradiction;
DROP POLICY spell_keys ON memory;
