/** Until this one, migrations were written for databases that nothing served from meanwhile. */
export const baseline = '20261123023452_oauth_client_documents'
