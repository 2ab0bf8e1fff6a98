// All heads in the explorer, fetched before they are first opened.

import { followDevice } from "../attention/js/data/device.js";
import { Explorer } from "../attention/js/explorer.js";
import { packetOf } from "./desk/view.js";

export default { Explorer, followDevice, packetOf };
