// What the service offers: formats, guarantees, layouts, metrics. The page waits for it once, before it is drawn.
import { get } from "./api.js";

const NOTHING = { formats: [], guarantees: [], layouts: [], metrics: [] };

export const INFO = await get("api/info").catch(() => NOTHING);
