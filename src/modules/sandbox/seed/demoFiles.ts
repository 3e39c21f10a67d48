/*
 * The demo data is in JSON files. Each has a list of `records`, and maybe `defaults`: fields that a
 * record has unless it says otherwise. A string such as "@-9d+1h" is a time: nine days before the data
 * is made, plus one hour; d, h and m are days, hours and minutes. Records name each other by id, and
 * demoData.ts puts the named record in where the API embeds it.
 */

export { default as Asset } from './assets.json' with { type: 'json' };
export { default as Event } from './events.json' with { type: 'json' };
export { default as File } from './files.json' with { type: 'json' };
export { default as Group } from './groups.json' with { type: 'json' };
export { default as Notification } from './notifications.json' with { type: 'json' };
export { default as Offline } from './offlines.json' with { type: 'json' };
export { default as Preview } from './previews.json' with { type: 'json' };
export { default as Project } from './projects.json' with { type: 'json' };
export { default as Studio } from './studios.json' with { type: 'json' };
export { default as User } from './users.json' with { type: 'json' };
export { default as Workflow } from './workflows.json' with { type: 'json' };
export { default as WorkRequest } from './workRequests.json' with { type: 'json' };
