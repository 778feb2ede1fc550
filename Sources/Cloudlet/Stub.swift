// Cloudlet
